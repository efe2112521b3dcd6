//! A small document of each form, with what docs/explanation/forms.md promises of a claim on it.

use serde_json::{Value, json};

/// A claim on a document that is not prose.
#[derive(Debug)]
pub struct Case {
    pub name: &'static str,
    pub document: &'static str,
    /// All forms in it.
    pub forms: &'static [&'static str],
    pub claim: &'static str,
    /// The text of its evidence.
    pub evidence: &'static str,
    /// Where the evidence stands: fields of the evidence.
    pub place: Value,
    /// The same in the terminal.
    pub shown: &'static str,
}

pub const MARKDOWN: &str = "\
Traffic in May.

| Port | Cars | Lorries | Officer | Remark |
|:-----|-----:|--------:|---------|--------|
| Tarn | 5 | 300 | R. Klein | closed on Sundays |
| Skerry | 12 | 345 | P. de Wit | open every day |
| Holm | 7 | 120 | | closed in winter |
";

pub const ALIGNED: &str = "\
Port      Cars  Lorries  Officer    Remark
------  ------  -------  ---------  -----------------
Tarn         5      300  R. Klein   closed on Sundays
Skerry      12      345  P. de Wit  open every day
Holm         7      120             closed in winter
";

pub const CSV: &str = "\
Port,Cars,Lorries,Officer,Remark
Tarn,5,300,R. Klein,closed on Sundays
Skerry,12,345,P. de Wit,\"open every day, also at night\"
Holm,7,120,,closed in winter
";

pub const TSV: &str = "\
Port\tCars\tLorries\tOfficer\tRemark
Tarn\t5\t300\tR. Klein\tclosed on Sundays
Skerry\t12\t345\tP. de Wit\topen every day
Holm\t7\t120\t\tclosed in winter
";

pub const SEMICOLONS: &str = "\
Port;Cars;Lorries;Officer;Remark
Tarn;5;300;R. Klein;closed on Sundays
Skerry;12;345;P. de Wit;open every day
Holm;7;120;;closed in winter
";

pub const JSON: &str = r#"{
  "line": "Tarn to Skerry",
  "crossings": [
    {"no": 5, "ship": "Astrid", "cars": [5, 300], "master": "R. Klein"},
    {"no": 6, "ship": "Maud", "cars": [12, 345], "master": null}
  ]
}
"#;

pub const JSON_LINES: &str = r#"{"no":5,"ship":"Astrid","cars":[5,300],"master":"R. Klein"}
{"no":6,"ship":"Maud","cars":[12,345],"master":null}
{"no":7,"ship":"Runa","cars":[8,120],"master":"P. de Wit"}
"#;

pub const YAML: &str = "\
line: Tarn to Skerry
crossings:
  - no: 5
    ship: Astrid
    master: R. Klein
  - no: 6
    ship: Maud
    master: P. de Wit
";

pub const RECORDS: &str = "\
We met on the quay at noon.

INVOICE 17
Date: 3 May
Berth ...... 12
Paid by: R. Klein
Total = 40.50

BEFORE SAILING
[x] check the ramp
[ ] test the horn
[x] count the vests
";

pub const LOG: &str = "\
2024-05-19 04:12:07 INFO the harbour started on port 8080
2024-05-19 04:12:09 ERROR cannot open the sluice for R. Klein
java.lang.IllegalStateException: the sluice is jammed
    at harbour.Sluice.open(Sluice.java:41)
    at harbour.Main.run(Main.java:12)
2024-05-19 04:12:15 WARN the pump runs dry
";

pub const COMMANDS: &str = "\
anna@tarn:~/sluice$ make test
211 checks passed
1 check failed: the pump runs dry
anna@tarn:~/sluice$ make lint
no warnings
";

pub const DIFF: &str = "\
commit 4c1e0aa
Author: R. Klein <klein@tarn.example>
Date:   Sun May 19 04:12:07 2024 +0200

    Close the sluice when the pump runs dry

    The pump overheats after ninety seconds.

diff --git a/src/sluice.rs b/src/sluice.rs
index 9d2b7f3..1b44c0e 100644
--- a/src/sluice.rs
+++ b/src/sluice.rs
@@ -9,7 +9,7 @@ impl Sluice {
     fn close(&mut self) {
-        self.wait(10);
+        self.wait(20);
         self.lock();
     }
";

pub const MAIL: &str = "\
From: Ewa Strand <ewa@tarn.example>
To: Omar Veld <omar@tarn.example>
Date: 19 May 2024
Subject: Re: Slipway

Omar, the slipway opens on 3 June. R. Klein has the keys.

On 17 May 2024, Omar Veld wrote:
> The crane is broken.
> R. Klein ordered a new winch.
";

/// As Outlook quotes.
pub const FORWARDED: &str = "\
From: Ewa Strand
To: Omar Veld
Subject: RE: Slipway

The slipway opens on 3 June.

From: Omar Veld <omar@tarn.example>
Sent: Friday, 17 May 2024 09:12
To: Ewa Strand <ewa@tarn.example>
Subject: Slipway

R. Klein ordered a new winch.
";

pub const CHAT: &str = "\
03/05/2024, 10:02 - Dev Patel: Where are the keys?
03/05/2024, 10:03 - Ana: R. Klein has them in the office.
03/05/2024, 10:05 - Dev Patel: The slipway is closed until August.
";

pub const WEBVTT: &str = "\
WEBVTT

9f3ac1d2-77b0-4e0e-9a7c-1f2e3d4c5b6a/12-0
00:02:22.000 --> 00:02:25.000
<v Dev Patel>The slipway is</v>

9f3ac1d2-77b0-4e0e-9a7c-1f2e3d4c5b6a/12-1
00:02:25.000 --> 00:02:28.000
<v Dev Patel>closed until <c.yellow>August</c>.</v>

9f3ac1d2-77b0-4e0e-9a7c-1f2e3d4c5b6a/13-0
00:02:28.000 --> 00:02:30.000
<v Ana>Where are the keys?</v>

9f3ac1d2-77b0-4e0e-9a7c-1f2e3d4c5b6a/14-0
00:02:31.000 --> 00:02:33.000
<v Dev Patel>R. Klein has them in the office.</v>
";

pub const SRT: &str = "\
1
00:02:22,000 --> 00:02:25,000
Dev Patel: The slipway is

2
00:02:25,000 --> 00:02:28,000
closed until <i>August</i>.

3
00:02:28,000 --> 00:02:30,000
Ana: Where are the keys?

4
00:02:31,000 --> 00:02:33,000
Dev Patel: R. Klein has them in the office.
";

pub const NAMES: &str = "\
Dev Patel: The slipway is closed until August.
Ana: Where are the keys?
Dev Patel: R. Klein has them in the office.
";

const OPEN: &str = "Skerry is open every day.";
const CLOSED: &str = "Dev Patel says that the slipway is closed until August.";
const KEYS: &str = "R. Klein has the keys in the office.";
const SLIPWAY: &str = "The slipway is closed until August.";

pub fn cases() -> Vec<Case> {
    let table = |name, document, evidence| Case {
        name,
        document,
        forms: &["table"],
        claim: OPEN,
        evidence,
        place: json!({"place": {"form": "table", "number": 2, "name": "Skerry"}}),
        shown: "row 2 (Skerry)",
    };
    let talk = |name, document, place, shown| Case {
        name,
        document,
        forms: &["transcript"],
        claim: CLOSED,
        evidence: SLIPWAY,
        place,
        shown,
    };
    let timed = json!({"turn": 1, "speaker": "Dev Patel", "time": "00:02:22"});
    let shown = "turn 1 (Dev Patel, 00:02:22)";
    vec![
        table(
            "Markdown",
            MARKDOWN,
            "| Port | Cars | Lorries | Officer | Remark |\n| Skerry | 12 | 345 | P. de Wit | open every day |",
        ),
        table(
            "aligned",
            ALIGNED,
            "Port      Cars  Lorries  Officer    Remark\nSkerry      12      345  P. de Wit  open every day",
        ),
        table(
            "CSV",
            CSV,
            "Port,Cars,Lorries,Officer,Remark\nSkerry,12,345,P. de Wit,\"open every day, also at night\"",
        ),
        table("TSV", TSV, "Port\tCars\tLorries\tOfficer\tRemark\nSkerry\t12\t345\tP. de Wit\topen every day"),
        table(
            "semicolons",
            SEMICOLONS,
            "Port;Cars;Lorries;Officer;Remark\nSkerry;12;345;P. de Wit;open every day",
        ),
        Case {
            name: "JSON",
            document: JSON,
            forms: &["data"],
            claim: "The master of the ship Astrid is R. Klein.",
            evidence: r#""no": 5, "ship": "Astrid", "cars": [5, 300], "master": "R. Klein""#,
            place: json!({"place": {"form": "data", "number": 2, "name": "no: 5"}}),
            shown: "object 2 (no: 5)",
        },
        Case {
            name: "JSON lines",
            document: JSON_LINES,
            forms: &["data"],
            claim: "The master of the ship Runa is P. de Wit.",
            evidence: r#""no":7,"ship":"Runa","cars":[8,120],"master":"P. de Wit""#,
            place: json!({"place": {"form": "data", "number": 3, "name": "no: 7"}}),
            shown: "object 3 (no: 7)",
        },
        Case {
            name: "YAML",
            document: YAML,
            forms: &["data"],
            claim: "The master of the ship Astrid is R. Klein.",
            evidence: "no: 5\n    ship: Astrid\n    master: R. Klein",
            place: json!({"place": {"form": "data", "number": 2, "name": "no: 5"}}),
            shown: "object 2 (no: 5)",
        },
        Case {
            name: "records",
            document: RECORDS,
            forms: &["records"],
            claim: "The invoice was paid by R. Klein.",
            evidence: "Date: 3 May\nBerth ...... 12\nPaid by: R. Klein\nTotal = 40.50",
            place: json!({"place": {"form": "records", "number": 1, "name": "INVOICE 17"}}),
            shown: "record 1 (INVOICE 17)",
        },
        Case {
            name: "boxes to tick",
            document: RECORDS,
            forms: &["records"],
            claim: "The horn was not tested before sailing.",
            evidence: "[x] check the ramp\n[ ] test the horn\n[x] count the vests",
            place: json!({"place": {"form": "records", "number": 2, "name": "BEFORE SAILING"}}),
            shown: "record 2 (BEFORE SAILING)",
        },
        Case {
            name: "stack trace",
            document: LOG,
            forms: &["log"],
            claim: "The sluice is jammed.",
            evidence: "2024-05-19 04:12:09 ERROR cannot open the sluice for R. Klein\n\
                       java.lang.IllegalStateException: the sluice is jammed\n    \
                       at harbour.Sluice.open(Sluice.java:41)\n    at harbour.Main.run(Main.java:12)",
            place: json!({"place": {"form": "log", "number": 2}}),
            shown: "line 2",
        },
        Case {
            name: "log",
            document: LOG,
            forms: &["log"],
            claim: "The pump runs dry.",
            evidence: "2024-05-19 04:12:15 WARN the pump runs dry",
            place: json!({"place": {"form": "log", "number": 6}}),
            shown: "line 6",
        },
        Case {
            name: "commands",
            document: COMMANDS,
            forms: &["commands"],
            claim: "One check failed because the pump runs dry.",
            evidence: "anna@tarn:~/sluice$ make test\n211 checks passed\n1 check failed: the pump runs dry",
            place: json!({"place": {"form": "commands", "number": 1, "name": "make test"}}),
            shown: "command 1 (make test)",
        },
        Case {
            name: "diff",
            document: DIFF,
            forms: &["diff"],
            claim: "The wait is 20 instead of 10.",
            evidence: "-        self.wait(10);\n+        self.wait(20);",
            place: json!({"place": {"form": "diff", "number": 2, "name": "src/sluice.rs"}}),
            shown: "change 2 (src/sluice.rs)",
        },
        Case {
            name: "message of a commit",
            document: DIFF,
            forms: &["diff"],
            claim: "The pump overheats after ninety seconds.",
            evidence: "The pump overheats after ninety seconds.",
            place: json!({}),
            shown: "",
        },
        Case {
            name: "mail",
            document: MAIL,
            forms: &["mail"],
            claim: "The slipway opens on 3 June.",
            evidence: "Omar, the slipway opens on 3 June.",
            place: json!({"place": {"form": "mail", "number": 1, "name": "Ewa Strand", "time": "19 May 2024"}}),
            shown: "message 1 (Ewa Strand, 19 May 2024)",
        },
        Case {
            name: "quoted mail",
            document: MAIL,
            forms: &["mail"],
            claim: "R. Klein ordered a new winch.",
            evidence: "R. Klein ordered a new winch.",
            place: json!({"place": {"form": "mail", "number": 2, "name": "Omar Veld", "time": "17 May 2024"}}),
            shown: "message 2 (Omar Veld, 17 May 2024)",
        },
        Case {
            name: "mail above another",
            document: FORWARDED,
            forms: &["mail"],
            claim: "R. Klein ordered a new winch.",
            evidence: "R. Klein ordered a new winch.",
            place: json!({"place": {"form": "mail", "number": 2, "name": "Omar Veld", "time": "Friday, 17 May 2024 09:12"}}),
            shown: "message 2 (Omar Veld, Friday, 17 May 2024 09:12)",
        },
        talk(
            "chat",
            CHAT,
            json!({"turn": 3, "speaker": "Dev Patel", "time": "03/05/2024, 10:05"}),
            "turn 3 (Dev Patel, 03/05/2024, 10:05)",
        ),
        talk("WebVTT", WEBVTT, timed.clone(), shown),
        talk("SRT", SRT, timed, shown),
        talk("names", NAMES, json!({"turn": 1, "speaker": "Dev Patel"}), "turn 1 (Dev Patel)"),
        Case {
            name: "an answer",
            document: NAMES,
            forms: &["transcript"],
            claim: KEYS,
            evidence: "Where are the keys?\nDev Patel: R. Klein has them in the office.",
            place: json!({"turn": 2, "last_turn": 3, "speaker": "Ana"}),
            shown: "turns 2 to 3 (from Ana)",
        },
    ]
}
