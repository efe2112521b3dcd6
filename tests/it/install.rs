//! install.sh on small archives: the installed files, and that a fault changes nothing.
#![cfg(unix)]
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::{Output, Place, finish, repository};
use insta::assert_snapshot;

const PLATFORM: &str = "linux-x86_64";

/// A release of one platform, whose program is a script that prints its version.
struct Release {
    place: Place,
}

impl Release {
    fn new(version: &str, program: &str) -> Release {
        let place = Place::new();
        let folder = place.path(&format!("veridic-{PLATFORM}"));
        for (file, text) in [
            ("veridic", program),
            ("veridic-bench", program),
            ("models/base/config.json", version),
            (&format!("models/base/only-in-{version}"), version),
            ("completions/veridic.bash", version),
            ("completions/veridic.fish", version),
            ("completions/veridic.zsh", version),
            ("completions/veridic-bench.bash", version),
            ("completions/veridic-bench.fish", version),
            ("completions/veridic-bench.zsh", version),
            ("man/man1/veridic.1", version),
            ("LICENSE-MIT", version),
        ] {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::set_permissions(folder.join("veridic"), fs::Permissions::from_mode(0o755)).unwrap();
        let release = Release { place };
        release.pack();
        release
    }

    fn of(version: &str) -> Release {
        Release::new(version, &format!("#!/bin/sh\necho veridic {version}\n"))
    }

    fn pack(&self) {
        let name = format!("veridic-{PLATFORM}");
        let mut tar = Command::new("tar");
        tar.args(["-czf", &format!("{name}.tar.gz"), &name]).current_dir(self.folder());
        finish(tar).ok();
        self.list(&sum(&fs::read(self.archive()).unwrap()));
    }

    fn list(&self, sum: &str) {
        let other = "0".repeat(64);
        let lines = format!("{other}  veridic-other.tar.gz\n{sum}  veridic-{PLATFORM}.tar.gz\n");
        self.place.write("SHA256SUMS", lines);
    }

    /// The message of an installation from this release into `home` that must fail, without the sums of archives and the
    /// name of this machine.
    fn told(&self, home: &Place, output: Output) -> String {
        assert_eq!(output.code, 2, "{}", output.stderr);
        // A program that fetches may have a message of its own.
        let line = output.stderr.lines().rfind(|line| line.starts_with("install.sh: ")).unwrap();
        let plain = home.plain(&self.place.plain(line.split(" (").next().unwrap()));
        let words = plain.split(' ').map(|word| if word.len() > 63 { "SUM" } else { word });
        words.collect::<Vec<_>>().join(" ")
    }

    fn folder(&self) -> &Path {
        self.place.folder.path()
    }

    fn archive(&self) -> std::path::PathBuf {
        self.place.path(&format!("veridic-{PLATFORM}.tar.gz"))
    }
}

fn sum(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn install(home: &Place, arguments: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.arg(repository("install.sh")).args(arguments).current_dir(home.folder.path());
    finish({
        shell.env("HOME", home.folder.path());
        shell
    })
}

fn from(home: &Place, release: &Release, more: &[&str]) -> Output {
    let fixed = ["--from", release.folder().to_str().unwrap(), "--platform", PLATFORM];
    install(home, &[&fixed[..], more].concat())
}

/// The files under a folder with their contents, and nothing else.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn installs_without_root_and_replaces_a_former_version_whole() {
    let home = Place::new();
    let printed = from(&home, &Release::of("1.0.0"), &[]).ok();
    assert!(
        printed.contains("installed veridic 1.0.0: ") && printed.contains("not on your PATH"),
        "{printed}"
    );
    from(&home, &Release::of("1.1.0"), &[]).ok();
    let installed = files(home.folder.path());
    let names: Vec<&str> = installed.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        ".local/bin/veridic",
        ".local/bin/veridic-bench",
        ".local/share/bash-completion/completions/veridic",
        ".local/share/bash-completion/completions/veridic-bench",
        ".local/share/fish/vendor_completions.d/veridic-bench.fish",
        ".local/share/fish/vendor_completions.d/veridic.fish",
        ".local/share/man/man1/veridic.1",
        ".local/share/veridic/LICENSE-MIT",
        ".local/share/veridic/models/base/config.json",
        ".local/share/veridic/models/base/only-in-1.1.0",
        ".local/share/zsh/site-functions/_veridic",
        ".local/share/zsh/site-functions/_veridic-bench",
    ];
    assert_eq!(names, expected);
    assert!(installed.iter().all(|(_, text)| text.contains("1.1.0")), "{installed:?}");
    let ran = finish(Command::new(home.path(".local/bin/veridic"))).ok();
    assert_eq!(ran, "veridic 1.1.0\n");
}

/// Each fault gives one line that describes it, and keeps the installed version.
#[test]
fn a_fault_changes_nothing() {
    let broken = |damage: &dyn Fn(&Release)| {
        let release = Release::of("2.0.0");
        damage(&release);
        release
    };
    let cut = |release: &Release| {
        let bytes = fs::read(release.archive()).unwrap();
        fs::write(release.archive(), &bytes[..bytes.len() / 2]).unwrap();
    };
    let without = |part: &'static str| {
        move |release: &Release| {
            let folder = release.place.path(&format!("veridic-{PLATFORM}"));
            fs::remove_dir_all(folder.join(part)).unwrap();
            release.pack();
        }
    };
    let cases = [
        ("another sum", broken(&|release| release.list(&"a".repeat(64)))),
        ("a cut archive", broken(&cut)),
        (
            "a cut archive that is listed",
            broken(&|release| {
                cut(release);
                release.list(&sum(&fs::read(release.archive()).unwrap()));
            }),
        ),
        ("no archive", broken(&|release| fs::remove_file(release.archive()).unwrap())),
        ("no sums", broken(&|release| fs::remove_file(release.place.path("SHA256SUMS")).unwrap())),
        ("an archive that is not listed", broken(&|release| _ = release.place.write("SHA256SUMS", ""))),
        ("no model", broken(&without("models"))),
        ("a program for another machine", Release::new("2.0.0", "#!/nowhere/interpreter\n")),
    ];
    let home = Place::new();
    from(&home, &Release::of("1.0.0"), &[]).ok();
    let before = files(home.folder.path());
    let mut told = String::new();
    for (name, release) in cases {
        let output = from(&home, &release, &[]);
        assert_eq!(output.stderr.lines().count(), 1, "{name}: {}", output.stderr);
        told += &format!("{name}\n    {}\n", release.told(&home, output));
        assert_eq!(files(home.folder.path()), before, "{name}");
        assert_eq!(fs::read_dir(home.path(".local")).unwrap().count(), 2, "{name}");
    }
    assert_snapshot!("faults", told);
}

#[test]
fn wrong_arguments_and_places_are_refused() {
    let release = Release::of("1.0.0");
    let folder = release.folder().to_str().unwrap();
    let home = Place::new();
    home.write("file", "");
    let cases: [&[&str]; 7] = [
        &["--from", folder, "--platform", "plan9-mips"],
        &["--from", folder, "--platform", "linux"],
        &["--from", folder, "--platform", PLATFORM, "--prefix", "file/under"],
        &["--platform", PLATFORM],
        &["--from"],
        &["--form", folder],
        &["--from", "http://127.0.0.1:1", "--platform", PLATFORM],
    ];
    let mut told = String::new();
    for arguments in cases {
        let line = release.place.plain(&arguments.join(" "));
        told += &format!("{line}\n    {}\n", release.told(&home, install(&home, arguments)));
    }
    assert_snapshot!("wrong_arguments", told);
    assert_eq!(files(home.folder.path()), [("file".to_owned(), String::new())]);
}

/// The output of `uname` decides which archive is used.
#[test]
fn the_platform_is_that_of_the_machine() {
    let release = Release::of("1.0.0");
    let home = Place::new();
    let tools = Place::new();
    let told = |system: &str, machine: &str| {
        let script = format!("#!/bin/sh\n[ \"$1\" = -s ] && echo {system} || echo {machine}\n");
        let path = tools.write("uname", script);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", tools.folder.path().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.arg(repository("install.sh")).args(["--from", release.folder().to_str().unwrap()]);
        finish({
            shell.env("HOME", home.folder.path()).env("PATH", path);
            shell
        })
    };
    assert!(told("Linux", "x86_64").ok().contains("installed veridic 1.0.0"));
    let others = [
        ("Linux", "aarch64"),
        ("Darwin", "arm64"),
        ("Linux", "riscv64"),
        ("FreeBSD", "amd64"),
        ("MINGW64_NT-10.0", "x86_64"),
    ];
    let lines = others.map(|(system, machine)| {
        format!("{system} {machine}\n    {}\n", release.told(&home, told(system, machine)))
    });
    assert_snapshot!("platforms", lines.concat());
}

#[test]
fn fetches_over_http() {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if !has("curl") && !has("wget") {
        return;
    }
    let release = Release::of("1.0.0");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/download", listener.local_addr().unwrap());
    let folder = release.folder().to_owned();
    // It ends with the test program.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 2048];
            let length = stream.read(&mut request).unwrap();
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            let path = request.split_whitespace().nth(1).unwrap();
            let (status, body) = match fs::read(folder.join(path.trim_start_matches("/download/"))) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all(&[head.as_bytes(), &body].concat()).unwrap();
        }
    });
    let home = Place::new();
    let printed = install(&home, &["--from", &address, "--platform", PLATFORM]).ok();
    assert!(printed.contains("installed veridic 1.0.0"), "{printed}");
    let before = files(home.folder.path());
    let Output { code, stdout: _, stderr } =
        install(&home, &["--from", &address, "--platform", "linux-aarch64"]);
    assert!(code == 2 && stderr.contains("cannot fetch"), "exit code {code}, {stderr}");
    assert_eq!(files(home.folder.path()), before);
}

/// README's first command is `cargo run`: with two programs among the default members it would ask which one.
#[test]
fn the_product_alone_is_built_by_default() {
    let manifest = fs::read_to_string(repository("Cargo.toml")).unwrap();
    let members = manifest.lines().find(|line| line.starts_with("default-members")).unwrap();
    assert!(members.contains("\"cli\"") && !members.contains("benches"), "{members}");
}
