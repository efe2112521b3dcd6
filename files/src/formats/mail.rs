//! A mail: who wrote to whom, when and about what, the text, and the names of what is attached, which is not read.

use mail_parser::{Addr, Address, MessageParser, MimeHeaders, PartType};

use crate::error::FileError;
use crate::formats::html;
use crate::kind::Kind;

/// Returns the text of a mail.
pub(crate) fn text(bytes: &[u8]) -> Result<String, FileError> {
    let mail = MessageParser::default().parse(bytes).ok_or(FileError::Damaged { kind: Kind::Eml })?;
    let headers = [
        ("From", people(mail.from())),
        ("To", people(mail.to())),
        ("Cc", people(mail.cc())),
        ("Date", mail.header_raw("Date").map(|date| date.trim().to_owned())),
        ("Subject", mail.subject().map(str::to_owned)),
    ];
    let mut text = String::new();
    for (name, value) in headers {
        text.extend(value.map(|value| format!("{name}: {value}\n")));
    }
    for attachment in mail.attachments() {
        let name = attachment.attachment_name().unwrap_or("without a name");
        text.push_str(&format!("Attachment: {name}\n"));
    }
    for part in mail.text_bodies() {
        let body = match &part.body {
            PartType::Html(page) => html::text(page)?,
            PartType::Text(body) => body.replace("\r\n", "\n"),
            _ => continue,
        };
        text.extend(["\n", body.trim(), "\n"]);
    }
    Ok(text)
}

/// Returns people as a mail names them.
fn people(address: Option<&Address<'_>>) -> Option<String> {
    let people: Vec<String> = address?.iter().filter_map(person).collect();
    (!people.is_empty()).then(|| people.join(", "))
}

fn person(person: &Addr<'_>) -> Option<String> {
    match (person.name(), person.address()) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (Some(one), None) | (None, Some(one)) => Some(one.to_owned()),
        (None, None) => None,
    }
}
