'use strict';
// The list of rows: which are shown, in which order, one page at a time.

/**
 * A row of the list.
 * @typedef {object} Row
 * @property {number} number its number, from 1
 * @property {string | null} id
 * @property {number} score
 * @property {Verdict} verdict
 * @property {string} [reason]
 * @property {[number, number, number, number]} claims of each verdict
 * @property {number} lowest
 * @property {number} [wrong_citations]
 * @property {boolean | null} label
 * @property {string} summary
 * @property {string} found
 * @property {Place} row
 * @property {Place} document
 * @property {number} settings their index in the report
 * @property {string} [searched] its lower-case texts, cached by the first search
 */

/** The better ones first. @type {Verdict[]} */
const VERDICTS = ['no_answer', 'supported', 'unsure', 'unsupported', 'contradicted'];

/**
 * The verdicts that a report shows: `no_answer` and `unsure` only if there are such rows.
 * @param {(verdict: Verdict) => number} total
 */
function shownVerdicts(total) {
  return VERDICTS.filter((verdict) => !['no_answer', 'unsure'].includes(verdict) || total(verdict) > 0);
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en');
}

/** Rows that are added to the list at a time. */
const PAGE_ROWS = 100;
/** How long typing pauses before a search begins, in milliseconds. */
const TYPING_PAUSE_MS = 150;

/** @type {Record<string, [string, ((a: Row, b: Row) => number) | null]>} */
const ORDERS = {
  risk: ['Risk', null],
  lowest: ['Lowest claim first', (a, b) => a.lowest - b.lowest],
  rising: ['Lowest score first', (a, b) => a.score - b.score],
  falling: ['Highest score first', (a, b) => b.score - a.score],
  file: ['As in the file', (a, b) => a.number - b.number],
};

/** @type {Record<string, [string, (row: Row) => boolean]>} */
const LABEL_FILTERS = {
  all: ['All', () => true],
  consistent: ['Consistent', (row) => row.label === true],
  inconsistent: ['Inconsistent', (row) => row.label === false],
  missed: [
    'Supported, but labelled inconsistent',
    (row) => row.label === false && row.verdict === 'supported',
  ],
  alarmed: [
    'Not supported, but labelled consistent',
    (row) => row.label === true && ['unsupported', 'contradicted'].includes(row.verdict),
  ],
  none: ['Without a label', (row) => row.label === null],
};

class RowList {
  /**
   * @param {Row[]} rows by risk
   * @param {boolean} hasLabels
   * @param {(row: Row) => Limits | undefined} limitsOf
   */
  constructor(rows, hasLabels, limitsOf) {
    this.rows = rows;
    this.limitsOf = limitsOf;
    this.shown = rows;
    this.filled = 0;
    this.search = 0;
    this.verdicts = new Set(VERDICTS);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typingTimer = undefined;
    this.query = /** @type {HTMLInputElement} */ (
      element('input', { type: 'search', id: 'query', autocomplete: 'off', spellcheck: 'false' })
    );
    this.inDocuments = /** @type {HTMLInputElement} */ (
      element('input', { type: 'checkbox', id: 'in-documents' })
    );
    this.order = selectOf('order', ORDERS);
    this.label = selectOf('label', LABEL_FILTERS);
    this.status = element('p', { class: 'list-status', role: 'status' });
    this.items = element('ol', { class: 'rows' });
    this.more = element('button', { type: 'button', class: 'plain-button more' });
    this.element = element(
      'section',
      { class: 'list', 'aria-label': 'Rows' },
      this.controls(hasLabels),
      this.status,
      this.items,
      this.more,
    );
    this.listen();
    void this.update();
  }

  /** @param {boolean} hasLabels */
  controls(hasLabels) {
    const verdicts = element(
      'fieldset',
      { class: 'verdicts' },
      element('legend', { class: 'visually-hidden' }, 'Verdict'),
    );
    const of = (/** @type {Verdict} */ verdict) => this.rows.filter((row) => row.verdict === verdict).length;
    for (const verdict of shownVerdicts(of)) {
      const box = element('input', { type: 'checkbox', checked: true, value: verdict });
      verdicts.append(
        element(
          'label',
          { class: 'choice' },
          box,
          verdictBadge(verdict, true),
          element('span', { class: 'total' }, count(of(verdict))),
        ),
      );
    }
    verdicts.addEventListener('change', () => {
      const boxes = [...verdicts.querySelectorAll('input')].filter((box) => box.checked);
      this.verdicts = new Set(boxes.map((box) => /** @type {Verdict} */ (box.value)));
      void this.update();
    });
    const controls = element(
      'form',
      { class: 'controls', role: 'search' },
      element('div', { class: 'control query' }, element('label', { for: 'query' }, 'Search'), this.query),
      element('label', { class: 'choice in-documents' }, this.inDocuments, 'in documents too'),
      labelled('Order', this.order),
    );
    if (hasLabels) controls.append(labelled('Label', this.label));
    controls.append(verdicts);
    controls.addEventListener('submit', (event) => event.preventDefault());
    return controls;
  }

  listen() {
    this.query.addEventListener('input', () => {
      clearTimeout(this.typingTimer);
      this.typingTimer = setTimeout(() => void this.update(), TYPING_PAUSE_MS);
    });
    for (const control of [this.inDocuments, this.order, this.label])
      control.addEventListener('change', () => void this.update());
    this.more.addEventListener('click', () => {
      const first = this.filled;
      this.fill();
      this.items.children[first]?.querySelector('a')?.focus();
    });
    new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) this.fill();
      },
      { rootMargin: '600px' },
    ).observe(this.more);
  }

  /** Finds the matching rows and shows the first page. */
  async update() {
    this.search += 1;
    const search = this.search;
    const words = plain(this.query.value).split(/\s+/).filter(Boolean);
    const wanted = LABEL_FILTERS[this.label.value][1];
    let rows = this.rows.filter((row) => this.verdicts.has(row.verdict) && wanted(row));
    if (words.length > 0) {
      const documents = this.inDocuments.checked ? await this.searchDocuments(rows, words, search) : null;
      if (search !== this.search) return;
      rows = rows.filter((row) => hasAll(searchedText(row), words, documents?.get(String(row.document))));
    }
    const compare = ORDERS[this.order.value][1];
    this.shown = compare ? [...rows].sort(compare) : rows;
    this.filled = 0;
    this.items.replaceChildren();
    this.fill();
    this.showCount();
  }

  /**
   * Which of the words each document has. Reads the documents part by part, so that the page stays usable.
   * @param {Row[]} rows
   * @param {string[]} words
   * @param {number} search
   */
  async searchDocuments(rows, words, search) {
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    const places = new Map(rows.map((row) => [String(row.document), row.document]));
    let done = 0;
    for (const [key, place] of [...places].sort((a, b) => a[1][0] - b[1][0])) {
      const text = plain(await valueAt(place));
      if (search !== this.search) break;
      found.set(key, new Set(words.filter((word) => text.includes(word))));
      done += 1;
      if (done % 200 === 0) {
        this.status.textContent = `Searching documents: ${Math.floor((100 * done) / places.size)}%`;
        await new Promise((resume) => setTimeout(resume));
      }
    }
    return found;
  }

  /** Adds a page of rows to the list. */
  fill() {
    const page = this.shown.slice(this.filled, this.filled + PAGE_ROWS);
    this.items.append(...page.map((row) => rowItem(row, this.limitsOf(row))));
    this.filled += page.length;
    const left = this.shown.length - this.filled;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${count(Math.min(left, PAGE_ROWS))} more`;
    this.items.dataset.left = left === 0 ? '' : `${counted(left, 'more row')} not shown here.`;
  }

  showCount() {
    const all = this.rows.length;
    const shown = this.shown.length;
    this.status.textContent =
      shown === all ? counted(all, 'row') : `${count(shown)} of ${counted(all, 'row')}`;
    this.items.hidden = shown === 0;
  }
}

/**
 * @param {Row} row
 * @param {Limits} [limits]
 */
function rowItem(row, limits) {
  const counts = VERDICTS.map((verdict, index) => ({ verdict, claims: row.claims[index] })).filter(
    (one) => one.claims > 0,
  );
  const claimCounts = element('span', { class: 'row-claims' });
  for (const { verdict, claims } of counts) {
    const badge = verdictBadge(verdict);
    badge.prepend(`${claims}\u00a0`);
    claimCounts.append(badge, ' ');
  }
  const total = counts.reduce((sum, { claims }) => sum + claims, 0);
  claimCounts.append(element('span', { class: 'visually-hidden' }, total === 1 ? 'claim' : 'claims'));
  const link = element(
    'a',
    { class: 'row', href: `#row-${row.number}` },
    element('span', { class: 'row-score score' }, decimal(row.score, limits)),
    verdictBadge(row.verdict, true),
    element('span', { class: 'row-name' }, isolated(rowName(row))),
    claimCounts,
    isolated(excerpt(row.summary), 'row-summary'),
  );
  /** @type {(Node | string)[]} */
  const about = row.wrong_citations ? [wrongCitation(wrongCitations(row.wrong_citations))] : [];
  if (row.reason) about.push(`reason: ${row.reason}`);
  if (row.label !== null) about.push(row.label ? 'labelled consistent' : 'labelled inconsistent');
  if (about.length > 0)
    link.append(element('span', { class: 'row-label' }, ...about.flatMap((part, place) => (place ? [', ', part] : [part]))));
  return element('li', {}, link);
}

/** @param {{id: string | null, number: number}} row */
function rowName(row) {
  return row.id ?? `row ${row.number}`;
}

/** @param {string} text */
function excerpt(text) {
  return text.length > 320 ? `${wholeCharacters(text.slice(0, 320))}\u2026` : text;
}

/** @param {Row} row */
function searchedText(row) {
  row.searched ??= plain(`${row.id ?? ''}\n${row.summary}\n${row.found}`);
  return row.searched;
}

/**
 * @param {string} text
 * @param {string[]} words
 * @param {Set<string>} [elsewhere] words that the row's document has
 */
function hasAll(text, words, elsewhere) {
  return words.every((word) => text.includes(word) || elsewhere?.has(word));
}

/**
 * A text as it is compared in searches.
 * @param {string} text
 */
function plain(text) {
  return text.normalize('NFC').toLowerCase();
}

/**
 * @param {string} id
 * @param {Record<string, [string, unknown]>} choices
 */
function selectOf(id, choices) {
  const options = Object.entries(choices).map(([value, [word]]) => element('option', { value }, word));
  return /** @type {HTMLSelectElement} */ (element('select', { id }, ...options));
}

/**
 * @param {string} word
 * @param {HTMLElement} control
 */
function labelled(word, control) {
  return element('div', { class: 'control' }, element('label', { for: control.id }, word), control);
}
