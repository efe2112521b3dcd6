'use strict';
// Texts as they were given: offsets in characters, marked parts, and invisible characters that would act. Every text reaches
// the page as text, never as markup.

/**
 * A part of a text that is marked, in UTF-16 units.
 * @typedef {object} Marking
 * @property {number} start
 * @property {number} end
 * @property {string} key what is marked: the class of evidence, or the number of a claim
 */

/**
 * A part of a text that is marked the same way throughout.
 * @typedef {object} Piece
 * @property {number} start
 * @property {number} end
 * @property {Marking[]} ranges the markings that cover it
 */

/** Characters between two entries of an offset table. */
const TABLE_STEP = 1024;
/** From where a block of text may end, and where it must end, in UTF-16 units. */
const BLOCK_UNITS = 800;
const LONGEST_BLOCK_UNITS = 6000;
/** The approximate length and height of a line. */
const LINE_UNITS = 76;
const LINE_REM = 1.8;

/** Invisible characters that act, such as direction marks and control characters; shown by their names. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;

/** @type {Record<string, [string, string]>} */
const UNSEEN_NAMES = {
  '\u061c': ['ALM', 'Arabic letter mark'],
  '\u200e': ['LRM', 'left-to-right mark'],
  '\u200f': ['RLM', 'right-to-left mark'],
  '\u2028': ['LS', 'line separator'],
  '\u2029': ['PS', 'paragraph separator'],
  '\u202a': ['LRE', 'left-to-right embedding'],
  '\u202b': ['RLE', 'right-to-left embedding'],
  '\u202c': ['PDF', 'end of direction'],
  '\u202d': ['LRO', 'left-to-right override'],
  '\u202e': ['RLO', 'right-to-left override'],
  '\u2066': ['LRI', 'left-to-right isolate'],
  '\u2067': ['RLI', 'right-to-left isolate'],
  '\u2068': ['FSI', 'first strong isolate'],
  '\u2069': ['PDI', 'end of isolate'],
  '\ufeff': ['BOM', 'byte order mark'],
};

/**
 * An element with attributes and children; strings become text.
 * @param {string} name
 * @param {Record<string, string | number | boolean | null>} [attributes] null and false are left out
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Adds a text from outside, with invisible characters shown by their names.
 * @param {Node} parent
 * @param {string} text
 */
function appendText(parent, text) {
  let start = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > start) parent.appendChild(document.createTextNode(text.slice(start, found.index)));
    parent.appendChild(unseenCharacter(found[0]));
    start = found.index + found[0].length;
  }
  if (start < text.length) parent.appendChild(document.createTextNode(text.slice(start)));
}

/** @param {string} character */
function unseenCharacter(character) {
  const code = 'U+' + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const [short, long] = UNSEEN_NAMES[character] ?? [code, 'control character'];
  const name = short === code ? `${long} ${code}` : `${long}, ${code}`;
  return element('span', {
    class: 'unseen',
    dir: 'ltr',
    role: 'img',
    'aria-label': name,
    title: name,
    'data-name': short,
  });
}

/**
 * A text from outside as an element with its own text direction.
 * @param {string} text
 * @param {string} [className]
 */
function isolated(text, className) {
  const made = element('bdi', { class: className ?? null });
  appendText(made, text);
  return made;
}

/**
 * A text of ours, such as a note or an error: what it has in backquotes is code.
 * @param {string} text
 * @param {string} [className]
 */
function prose(text, className) {
  const made = element('bdi', { class: className ?? null });
  text.split(/`([^`]*)`/).forEach((part, index) => {
    if (index % 2 === 0) appendText(made, part);
    else made.append(element('code', {}, isolated(part)));
  });
  return made;
}

/**
 * How many there are of something, as "1 claim" or "2 claims".
 * @param {number} number
 * @param {string} word
 */
function counted(number, word) {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Offsets of a text, from Unicode characters to the UTF-16 units of its string. */
class Offsets {
  /** @param {string} text */
  constructor(text) {
    this.units = text.length;
    this.text = text;
    /** The units at which every 1024th character starts; null if every character is one unit.
     * @type {number[] | null} */
    this.table = /[\ud800-\udbff]/.test(text) ? [] : null;
    if (!this.table) return;
    let characters = 0;
    for (let unit = 0; unit < text.length; unit = this.next(unit)) {
      if (characters % TABLE_STEP === 0) this.table.push(unit);
      characters += 1;
    }
  }

  /**
   * The unit after the character at `unit`.
   * @param {number} unit
   */
  next(unit) {
    const character = this.text.codePointAt(unit) ?? 0;
    return unit + (character > 0xffff ? 2 : 1);
  }

  /**
   * The unit at which a character starts; the end of the text after the last one.
   * @param {number} character
   */
  unit(character) {
    if (!this.table) return Math.min(Math.max(character, 0), this.units);
    let unit = this.table[Math.floor(character / TABLE_STEP)] ?? this.units;
    for (let left = character % TABLE_STEP; left > 0 && unit < this.units; left -= 1) unit = this.next(unit);
    return unit;
  }
}

/**
 * Splits a part of a text where its marks begin and end.
 * @param {number} start
 * @param {number} end
 * @param {Marking[]} ranges
 * @returns {Piece[]}
 */
function cutPieces(start, end, ranges) {
  const cuts = new Set([start, end]);
  for (const range of ranges) {
    if (range.start > start && range.start < end) cuts.add(range.start);
    if (range.end > start && range.end < end) cuts.add(range.end);
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(1).map((place, index) => ({
    start: places[index],
    end: place,
    ranges: ranges.filter((range) => range.start <= places[index] && range.end >= place),
  }));
}

/**
 * Where the blocks of a text begin.
 * @param {string} text
 * @param {number[]} cuts where a block begins in any case, in order
 * @returns {number[]} the starts, and the end of the text
 */
function blockStarts(text, cuts) {
  const bounds = [...new Set([0, ...cuts, text.length])];
  const starts = bounds.slice(1).flatMap((end, index) => {
    const start = bounds[index];
    return partStarts(text.slice(start, end)).map((inside) => start + inside);
  });
  return [...starts, text.length];
}

/**
 * Where the blocks of a part begin: after line ends; in overlong lines after a sentence or word.
 * @param {string} text
 * @returns {number[]}
 */
function partStarts(text) {
  const starts = [0];
  let start = 0;
  while (text.length - start > BLOCK_UNITS) {
    const line = text.indexOf('\n', start + BLOCK_UNITS);
    const end = line >= 0 && line - start < LONGEST_BLOCK_UNITS ? line + 1 : endOfPart(text, start);
    if (end >= text.length) break;
    starts.push(end);
    start = end;
  }
  return starts;
}

/**
 * @param {string} text
 * @param {number} start
 */
function endOfPart(text, start) {
  const latest = start + LONGEST_BLOCK_UNITS;
  if (latest >= text.length) return text.length;
  const part = text.slice(start, latest);
  const sentence = part.lastIndexOf('. ') + 2;
  if (sentence > BLOCK_UNITS) return start + sentence;
  const word = part.lastIndexOf(' ') + 1;
  if (word > BLOCK_UNITS) return start + word;
  const low = text.charCodeAt(latest);
  return low >= 0xdc00 && low <= 0xdfff ? latest - 1 : latest;
}

/**
 * A block with the estimated height of its text, for before it is laid out.
 * @param {string} text
 */
function emptyBlock(text) {
  const block = element('div', { class: 'block', dir: 'auto' });
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE_UNITS), 0);
  block.style.containIntrinsicBlockSize = `auto ${(lines * LINE_REM).toFixed(1)}rem`;
  return block;
}

/** @param {Marking[]} ranges */
function signatureOf(ranges) {
  return ranges.map((range) => `${range.start} ${range.end} ${range.key}`).join();
}

/** A text with markings. Only blocks whose markings change are drawn again. */
class MarkedText {
  /**
   * @param {HTMLElement} place the parent of its blocks
   * @param {string} text
   * @param {(piece: Piece, text: string) => Node} drawPiece draws a marked piece
   * @param {{span: [number, number], heading: HTMLElement}[]} [sections] parts of the text with a heading, in order
   */
  constructor(place, text, drawPiece, sections = []) {
    this.text = text;
    this.offsets = new Offsets(text);
    this.drawPiece = drawPiece;
    const cuts = sections.map(({ span }) => this.offsets.unit(span[0]));
    this.starts = blockStarts(text, cuts);
    /** @type {string[]} */
    this.drawn = [];
    this.blocks = this.starts.slice(1).map((end, index) => emptyBlock(text.slice(this.starts[index], end)));
    this.blocks.forEach((_, index) => this.drawBlock(index, []));
    const headings = new Map(sections.map(({ heading }, index) => [cuts[index], heading]));
    place.replaceChildren(
      ...this.blocks.flatMap((block, index) => {
        const heading = headings.get(this.starts[index]);
        return heading ? [heading, block] : [block];
      }),
    );
  }

  /**
   * The marking of a span of a result, which counts characters.
   * @param {[number, number]} span
   * @param {string} key
   * @returns {Marking}
   */
  range([start, end], key) {
    return { start: this.offsets.unit(start), end: this.offsets.unit(end), key };
  }

  /**
   * Marks these ranges and no others.
   * @param {Marking[]} ranges
   */
  draw(ranges) {
    const sorted = ranges.filter((range) => range.start < range.end).sort((a, b) => a.start - b.start);
    for (let index = 0; index < this.blocks.length; index += 1) {
      const start = this.starts[index];
      const end = this.starts[index + 1];
      const inside = sorted.filter((range) => range.start < end && range.end > start);
      if (this.drawn[index] !== signatureOf(inside)) this.drawBlock(index, inside);
    }
  }

  /**
   * @param {number} index
   * @param {Marking[]} ranges
   */
  drawBlock(index, ranges) {
    this.drawn[index] = signatureOf(ranges);
    const block = document.createDocumentFragment();
    for (const piece of cutPieces(this.starts[index], this.starts[index + 1], ranges)) {
      const text = this.text.slice(piece.start, piece.end);
      if (piece.ranges.length === 0) appendText(block, text);
      else block.appendChild(this.drawPiece(piece, text));
    }
    this.blocks[index].replaceChildren(block);
  }
}
