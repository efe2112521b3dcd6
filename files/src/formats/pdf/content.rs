//! The program of a page, as far as it writes text: which piece of text stands where. What is drawn is not looked at. Text that is
//! not shown is read too, since text recognition puts it under the picture of a page.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Do;
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};

use super::fonts::Font;
use super::geometry::{Matrix, Piece};
use super::stream::decoded;
use crate::error::FileError;
use crate::kind::Kind;

/// How deep forms may be in forms.
const MAX_DEPTH: usize = 8;
/// The most bytes of all programs, those of forms each time that they are shown.
const MAX_PROGRAM_BYTES: usize = 128 << 20;
/// How deep states may be saved in states.
const MAX_STATES: usize = 512;

/// What a page shows.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Glyph by glyph, in the order of its program.
    pub(super) pieces: Vec<Piece>,
    /// Whether there is text on it, if only nobody knows what it says.
    pub(super) is_written: bool,
}

/// Runs the programs of pages one after the other.
#[derive(Debug, Default)]
pub(super) struct Content {
    fonts: HashMap<ObjectIdentifier, Rc<Font>>,
    program_bytes: usize,
}

/// What holds for the text that follows.
#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f32,
    character_spacing: f32,
    word_spacing: f32,
    scale: f32,
    leading: f32,
    rise: f32,
}

impl State {
    fn new(matrix: Matrix) -> Self {
        Self {
            matrix,
            font: None,
            size: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

/// A program that is being run: that of a page, or of a form on it.
struct Program<'r, 'a> {
    resources: &'r Resources<'a>,
    /// The fonts of its resources that have no number of their own.
    own_fonts: HashMap<Vec<u8>, Rc<Font>>,
    depth: usize,
    state: State,
    saved: Vec<State>,
    line: Matrix,
    text: Matrix,
    /// For each marked part that is open, whether it is no part of the text, such as a page's number.
    artifacts: Vec<bool>,
}

impl Content {
    /// Runs the program of a page.
    pub(super) fn run(&mut self, page: &Page<'_>) -> Result<Shown, FileError> {
        let mut shown = Shown::default();
        let mut data = Vec::new();
        for stream in streams(page.raw()) {
            data.extend_from_slice(&decoded(&stream)?.unwrap_or_default());
            data.push(b' ');
        }
        let matrix = Matrix(page.initial_transform(false).as_coeffs().map(|value| value as f32));
        let program = Program::new(page.resources(), State::new(matrix), 0);
        self.run_program(program, &data, &mut shown)?;
        Ok(shown)
    }

    fn run_program(
        &mut self,
        mut program: Program<'_, '_>,
        data: &[u8],
        shown: &mut Shown,
    ) -> Result<(), FileError> {
        self.program_bytes += data.len();
        if self.program_bytes > MAX_PROGRAM_BYTES {
            return Err(FileError::TooLong { kind: Kind::Pdf });
        }
        let mut instructions = TypedIter::new(data);
        while let Some(instruction) = instructions.next() {
            match instruction {
                Do::TextFont(font) => {
                    program.state.size = font.1.as_f32();
                    program.state.font = self.font(&mut program, font.0)?;
                }
                Do::XObject(object) => self.run_form(&program, object.0, shown)?,
                Do::ShowText(text) => program.show(text.0.as_bytes(), shown),
                Do::NextLineAndShowText(text) => {
                    program.next_line();
                    program.show(text.0.as_bytes(), shown);
                }
                Do::ShowTextWithParameters(text) => {
                    program.state.word_spacing = text.0.as_f32();
                    program.state.character_spacing = text.1.as_f32();
                    program.next_line();
                    program.show(text.2.as_bytes(), shown);
                }
                Do::ShowTexts(texts) => program.show_all(texts.0, shown),
                other => program.set(&other),
            }
        }
        Ok(())
    }

    /// Runs a form that a program shows; images are not looked at.
    fn run_form(
        &mut self,
        program: &Program<'_, '_>,
        name: &Name<'_>,
        shown: &mut Shown,
    ) -> Result<(), FileError> {
        let Some(form) = program.resources.get_x_object(name) else { return Ok(()) };
        let is_form = form.dict().get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Form");
        if !is_form || program.depth == MAX_DEPTH || program.is_artifact() {
            return Ok(());
        }
        let Some(data) = decoded(&form)? else { return Ok(()) };
        let own = form.dict().get::<Dict<'_>>("Resources").map(Resources::new);
        let mut state = program.state.clone();
        state.matrix = Matrix::of(form.dict().get::<Array<'_>>("Matrix").as_ref()).then(state.matrix);
        let form = Program::new(own.as_ref().unwrap_or(program.resources), state, program.depth + 1);
        self.run_program(form, &data, shown)
    }

    /// Returns a font by its name in the resources of a program.
    fn font(
        &mut self,
        program: &mut Program<'_, '_>,
        name: &Name<'_>,
    ) -> Result<Option<Rc<Font>>, FileError> {
        let Some(font) = program.resources.get_font(name) else { return Ok(None) };
        let known = match font.obj_id() {
            Some(id) => self.fonts.get(&id),
            None => program.own_fonts.get(name.as_ref()),
        };
        if let Some(known) = known {
            return Ok(Some(Rc::clone(known)));
        }
        let new = Rc::new(Font::new(&font)?);
        match font.obj_id() {
            Some(id) => self.fonts.insert(id, Rc::clone(&new)),
            None => program.own_fonts.insert(name.to_vec(), Rc::clone(&new)),
        };
        Ok(Some(new))
    }
}

impl<'r, 'a> Program<'r, 'a> {
    fn new(resources: &'r Resources<'a>, state: State, depth: usize) -> Self {
        Self {
            resources,
            own_fonts: HashMap::new(),
            depth,
            state,
            saved: Vec::new(),
            line: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            artifacts: Vec::new(),
        }
    }

    fn is_artifact(&self) -> bool {
        self.artifacts.contains(&true)
    }

    /// Runs an instruction that shows nothing.
    fn set(&mut self, instruction: &Do<'_, '_>) {
        let state = &mut self.state;
        match instruction {
            Do::SaveState(_) if self.saved.len() < MAX_STATES => self.saved.push(state.clone()),
            Do::RestoreState(_) => *state = self.saved.pop().unwrap_or_else(|| state.clone()),
            Do::Transform(new) => {
                state.matrix = Matrix::from([new.0, new.1, new.2, new.3, new.4, new.5]).then(state.matrix)
            }
            Do::BeginText(_) => (self.line, self.text) = (Matrix::IDENTITY, Matrix::IDENTITY),
            Do::CharacterSpacing(spacing) => state.character_spacing = spacing.0.as_f32(),
            Do::WordSpacing(spacing) => state.word_spacing = spacing.0.as_f32(),
            Do::HorizontalScaling(scale) => state.scale = scale.0.as_f32() / 100.0,
            Do::TextLeading(leading) => state.leading = leading.0.as_f32(),
            Do::TextRise(rise) => state.rise = rise.0.as_f32(),
            Do::NextLine(by) => self.move_line(by.0.as_f32(), by.1.as_f32()),
            Do::NextLineAndSetLeading(by) => {
                state.leading = -by.1.as_f32();
                self.move_line(by.0.as_f32(), by.1.as_f32());
            }
            Do::NextLineUsingLeading(_) => self.next_line(),
            Do::SetTextMatrix(new) => {
                self.line = Matrix::from([new.0, new.1, new.2, new.3, new.4, new.5]);
                self.text = self.line;
            }
            Do::BeginMarkedContent(part) => self.artifacts.push(part.0.as_ref() == b"Artifact"),
            Do::BeginMarkedContentWithProperties(part) => self.artifacts.push(part.0.as_ref() == b"Artifact"),
            Do::EndMarkedContent(_) => _ = self.artifacts.pop(),
            _ => {}
        }
    }

    fn move_line(&mut self, right: f32, up: f32) {
        self.line = Matrix::translation(right, up).then(self.line);
        self.text = self.line;
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.state.leading);
    }

    /// Shows strings, with gaps between them in thousandths of the size.
    fn show_all(&mut self, items: &Array<'_>, shown: &mut Shown) {
        for item in items.iter::<Object<'_>>() {
            match item {
                Object::String(string) => self.show(string.as_bytes(), shown),
                Object::Number(gap) => {
                    let gap = -gap.as_f32() / 1000.0 * self.state.size * self.state.scale;
                    self.text = Matrix::translation(gap, 0.0).then(self.text);
                }
                _ => {}
            }
        }
    }

    /// Shows a string, glyph by glyph.
    fn show(&mut self, string: &[u8], shown: &mut Shown) {
        let Some(font) = self.state.font.clone() else { return };
        let is_artifact = self.is_artifact();
        for glyph in font.glyphs(string) {
            let State { size, scale, rise, character_spacing, word_spacing, .. } = self.state;
            let matrix = self.text.then(self.state.matrix);
            let spacing = character_spacing + if glyph.is_space { word_spacing } else { 0.0 };
            let width = glyph.width * size * scale;
            shown.is_written = true;
            if !is_artifact && !glyph.text.is_empty() {
                shown.pieces.push(Piece::new(glyph.text, &matrix, [width, rise, size]));
            }
            self.text = Matrix::translation(width + spacing * scale, 0.0).then(self.text);
        }
    }
}

/// Returns the streams of a page's program.
fn streams<'a>(page: &Dict<'a>) -> Vec<Stream<'a>> {
    match page.get::<Stream<'_>>("Contents") {
        Some(stream) => vec![stream],
        None => page.get::<Array<'_>>("Contents").iter().flat_map(Array::iter::<Stream<'_>>).collect(),
    }
}
