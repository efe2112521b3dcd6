'use strict';
// The view of one pair: the summary with its claims, beside the document. The report shows finished results in it; the
// server's page shows claims as they are decided.

/**
 * The result of a pair, as `score --format json` writes it.
 * @typedef {object} Result
 * @property {number} score
 * @property {Verdict} verdict
 * @property {string} [reason] why the verdict does not follow from the scores
 * @property {Claim[]} claims
 * @property {Limits | null} [limits]
 * @property {any} [ledger]
 * @property {any} [profile]
 */

/**
 * A source of a document that is a list, and its place in the joined text.
 * @typedef {{id: string, span: [number, number]}} Source
 */

/**
 * The texts of a pair; the document's sources if it is a list.
 * @typedef {{document: string, summary: string, sources?: Source[]}} Texts
 */

let viewCount = 0;

/** One document and one summary side by side. */
class PairView {
  /**
   * @param {HTMLElement} container is emptied
   * @param {Texts} texts
   */
  constructor(container, texts) {
    viewCount += 1;
    this.id = `view-${viewCount}`;
    /** @type {Claim[]} */
    this.claims = [];
    /** @type {ClaimCard[]} */
    this.cards = [];
    /** @type {number | null} */
    this.selected = null;
    /** @type {Result | null} */
    this.result = null;
    this.sources = texts.sources ?? [];
    this.verdictLine = element('p', { class: 'pair-verdict' });
    this.notes = element('div', { class: 'pair-notes' });
    const summaryPlace = element('div', { class: 'text summary-text' });
    this.claimsTitle = element('h2', { class: 'pane-title' }, 'Claims');
    this.list = element('ol', { class: 'claims' });
    this.computed = element('p', { class: 'computed hint' });
    this.summary = new MarkedText(summaryPlace, texts.summary, drawCovered);
    this.corrections = new Corrections(this.summary);
    this.correctionsLine = new CorrectionsLine(this.corrections);
    this.note = element('p', { class: 'document-note', hidden: true });
    const documentPlace = element('div', { class: 'text document-text' });
    this.status = element('p', { class: 'visually-hidden', role: 'status' });
    this.summaryPane = element(
      'section',
      { class: 'pane summary-pane', 'aria-label': 'Summary and claims', tabindex: '0' },
      this.verdictLine,
      this.notes,
      element('h2', { class: 'pane-title' }, 'Summary'),
      summaryPlace,
      this.correctionsLine.element,
      this.claimsTitle,
      this.list,
      this.computed,
    );
    this.documentPane = element(
      'section',
      { class: 'pane document-pane', 'aria-label': this.sources.length ? 'Sources' : 'Document', tabindex: '0' },
      element('h2', { class: 'pane-title' }, this.sources.length ? `Sources (${this.sources.length})` : 'Document'),
      this.note,
      documentPlace,
    );
    container.replaceChildren(
      element('div', { class: 'pair' }, this.summaryPane, this.documentPane, this.status),
    );
    const sections = this.sources.map(({ id, span }) => {
      return { span, heading: element('h3', { class: 'source-title' }, 'Source ', isolated(id)) };
    });
    this.document = new MarkedText(documentPlace, texts.document, drawEvidence, sections);
    this.summaryPlace = summaryPlace;
    this.listen();
  }

  listen() {
    this.summaryPlace.addEventListener('click', (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const number = /** @type {HTMLElement | null} */ (target.closest('[data-claim]'));
      const covered = /** @type {HTMLElement | null} */ (target.closest('[data-claims]'));
      if (number) this.open(Number(number.dataset.claim));
      else if (covered && !hasTextSelected())
        this.open(this.nextOf((covered.dataset.claims ?? '').split(' ').map(Number)));
    });
    this.summaryPane.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
    this.documentPane.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.selected !== null) this.cards[this.selected].head.focus();
    });
    // In print every claim is shown with its evidence.
    const fillCards = () => {
      if (!this.list.isConnected) removeEventListener('beforeprint', fillCards);
      else this.cards.forEach((card) => card.fill());
    };
    addEventListener('beforeprint', fillCards);
  }

  /**
   * Adds or replaces a claim. A claim that is shown before it is judged has no verdict.
   * @param {number} index its index in the summary
   * @param {Claim} claim
   */
  setClaim(index, claim) {
    while (this.cards.length <= index) this.addCard(this.cards.length);
    this.showClaim(index, claim);
    this.drawSummary();
    this.drawVerdict();
    if (this.selected === index) this.drawDocument();
  }

  /**
   * Adds a note on the result.
   * @param {string} text
   */
  addNote(text) {
    this.notes.append(element('p', { class: 'pair-note' }, prose(text)));
  }

  /**
   * Shows the verdict on the summary.
   * @param {Result} result
   */
  setVerdict(result) {
    this.result = result;
    if (result.limits) this.notes.prepend(element('p', { class: 'pair-limits' }, limitsInForce(result.limits)));
    this.cards.forEach((card) => card.drawScore());
    this.computed.textContent = computed(this.result);
    this.correctionsLine.draw(this.claims, true);
    this.drawVerdict();
  }

  /**
   * Shows a finished result.
   * @param {Result} result
   */
  setResult(result) {
    result.claims.forEach((claim, index) => {
      this.addCard(index);
      this.showClaim(index, claim);
    });
    this.drawSummary();
    this.setVerdict(result);
  }

  /** @param {number} index */
  addCard(index) {
    const card = new ClaimCard(index, this.id, {
      open: () => this.open(index),
      close: () => this.close(),
      step: (step) => this.step(step),
      jump: (role) => this.jump(role),
      quote: (role) => this.quote(index, role),
      said: (role) => saidBy(this.passage(index, role) ?? { span: [0, 0] }),
      isWhole: () => this.isWhole(index),
      sources: (role) => this.sourcesOf(index, role),
      limits: () => this.result?.limits ?? undefined,
      correction: {
        isAccepted: () => this.corrections.isAccepted(this.claims[index].instead),
        accept: (isAccepted) => this.accept(index, isAccepted),
      },
    });
    this.cards.push(card);
    this.list.append(card.item);
    this.showClaim(index, { text: '', summary_spans: [] });
  }

  /**
   * @param {number} index
   * @param {Claim} claim
   */
  showClaim(index, claim) {
    this.claims[index] = claim;
    this.cards[index].show(claim, this.rank(index));
  }

  /**
   * The number of a claim, from 1. Parts of the summary that state nothing have none.
   * @param {number} index
   */
  rank(index) {
    return this.claims.slice(0, index + 1).filter(isClaim).length;
  }

  /**
   * Accepts the correction of a claim, or withdraws it.
   * @param {number} index
   * @param {boolean} isAccepted
   */
  accept(index, isAccepted) {
    this.corrections.accept(this.claims[index].instead, isAccepted);
    this.drawSummary();
    redrawCorrections(this.list);
    this.status.textContent = `The summary has changed: ${this.correctionsLine.count.textContent}.`;
  }

  /** Removes the marks and goes back to the claim in the summary. */
  close() {
    if (this.selected === null) return;
    const place = this.numberOf(this.selected) ?? this.cards[this.selected].head;
    this.select(null);
    scrollInto(this.summaryPane, [place]);
    place.focus({ preventScroll: true });
  }

  /** @param {number} step */
  step(step) {
    const claims = this.claims.flatMap((claim, index) => (isClaim(claim) ? [index] : []));
    const place = claims.indexOf(this.selected ?? claims[0]);
    const next = claims[(place + step + claims.length) % claims.length];
    this.open(next);
    this.cards[next].head.focus({ preventScroll: true });
  }

  /**
   * Selects a claim and shows its card.
   * @param {number} index
   */
  open(index) {
    this.select(index);
    if (scrollsItself(this.summaryPane)) this.cards[index].item.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Marks the evidence of a claim and scrolls the document to it; null removes the marks.
   * @param {number | null} index
   */
  select(index) {
    if (this.selected !== null) this.cards[this.selected].open(false);
    this.selected = index;
    this.summaryPane.parentElement?.classList.toggle('has-selection', index !== null);
    this.drawSelection();
    this.drawDocument();
    if (index === null) return;
    this.cards[index].open(true);
    this.status.textContent = this.announcement(index);
    this.reveal(this.claims[index].counter_evidence ? 'counter' : 'evidence');
  }

  /**
   * The claim to open on a click where several overlap: the one after the selected one, in turn.
   * @param {number[]} claims
   */
  nextOf(claims) {
    const place = this.selected === null ? -1 : claims.indexOf(this.selected);
    return claims[(place + 1) % claims.length];
  }

  /** @param {number} index */
  announcement(index) {
    const claim = this.claims[index];
    const number = this.rank(index);
    if (!claim.level) return `Claim ${number} is not judged yet.`;
    const counter = claim.counter_evidence ? ', and its counter-evidence' : '';
    const words = LEVEL_WORDS[claim.level] + inSources(this.sourcesOf(index, 'evidence'));
    return `Claim ${number}, ${claim.verdict}. Its evidence, ${words}${counter}, is marked in the document.`;
  }

  /**
   * The parts of the document that a claim refers to.
   * @param {number} index
   * @returns {{role: Role, spans: [number, number][]}[]}
   */
  parts(index) {
    const { evidence, substitution, counter_evidence: counter, instead } = this.claims[index];
    /** @type {{role: Role, spans: [number, number][]}[]} */
    const parts = [];
    if (evidence) parts.push({ role: 'evidence', spans: evidence.spans ?? [evidence.span] });
    if (substitution) {
      parts.push({ role: 'mention', spans: [substitution.mention_span] });
      parts.push({ role: 'name', spans: [substitution.by_span] });
    }
    if (counter) parts.push({ role: 'counter', spans: counter.spans ?? [counter.span] });
    if (instead && isPart(instead)) parts.push({ role: 'instead', spans: [instead.document_span] });
    return parts;
  }

  /**
   * The ranges of a part of the document. Text without words between two sentences is included.
   * @param {number} index
   * @param {Role} role
   */
  rangesOf(index, role) {
    const part = this.parts(index).find((other) => other.role === role);
    /** @type {Marking[]} */
    const ranges = [];
    for (const span of part?.spans ?? []) {
      const range = this.document.range(span, role);
      const last = ranges.at(-1);
      if (last && !hasWords(this.document.text.slice(last.end, range.start))) last.end = range.end;
      else ranges.push(range);
    }
    return ranges;
  }

  /**
   * The sentences that a claim's evidence or counter-evidence is.
   * @param {number} index
   * @param {Role} role
   * @returns {Quoted | null | undefined}
   */
  passage(index, role) {
    const { evidence, counter_evidence: counter } = this.claims[index];
    return { evidence, counter }[/** @type {string} */ (role)];
  }

  /**
   * The text of a part of the document: of a transcript what was said, of other texts without what was not read between its
   * sentences.
   * @param {number} index
   * @param {Role} role
   */
  quote(index, role) {
    const passage = this.passage(index, role);
    if (passage?.turn !== undefined) return passage.text ?? '';
    const texts = this.rangesOf(index, role).map(({ start, end }) => this.document.text.slice(start, end));
    return texts.join(' [\u2026] ');
  }

  /**
   * The ids of the sources that a part of the document is in.
   * @param {number} index
   * @param {Role} role
   */
  sourcesOf(index, role) {
    const spans = this.parts(index).find((other) => other.role === role)?.spans ?? [];
    const touches = (/** @type {Source} */ { span: [start, end] }) =>
      spans.some((span) => span[0] < end && start < span[1]);
    return this.sources.filter(touches).map(({ id }) => id);
  }

  /**
   * Whether the evidence is the whole document.
   * @param {number} index
   */
  isWhole(index) {
    if (this.claims[index].level !== 'document') return false;
    const [range, another] = this.rangesOf(index, 'evidence');
    if (!range || another) return false;
    const { text } = this.document;
    return text.slice(0, range.start).trim() === '' && text.slice(range.end).trim() === '';
  }

  /** How many claims there are, are judged, are supported and have a wrong citation. */
  counts() {
    const claims = this.claims.filter(isClaim);
    const of = (/** @type {(claim: Claim) => boolean} */ counts) => claims.filter(counts).length;
    return {
      all: of((claim) => claim.verdict !== 'no_answer'),
      judged: of((claim) => Boolean(claim.verdict)),
      supported: of((claim) => claim.verdict === 'supported'),
      wrong: of(hasWrongCitation),
    };
  }

  drawVerdict() {
    const { all, judged, supported, wrong } = this.counts();
    this.claimsTitle.textContent = `Claims (${all})`;
    const { score, limits, verdict, reason } = this.result ?? {};
    const isAnswer = verdict !== 'no_answer';
    const counts = !isAnswer
      ? 'no answer to judge'
      : this.result
        ? `${supported} of ${counted(all, 'claim')} supported`
        : `${judged} of ${counted(all, 'claim')} judged, ${supported} supported`;
    this.verdictLine.replaceChildren(
      verdictBadge(verdict ?? 'pending', true),
      element('span', { class: 'score' }, score === undefined || !isAnswer ? '' : decimal(score, limits ?? undefined)),
      element('span', { class: 'pair-counts' }, reason ? `reason: ${reason}, ${counts}` : counts),
      ...(wrong ? [wrongCitation(wrongCitations(wrong))] : []),
    );
  }

  drawSummary() {
    let number = 0;
    const ranges = this.claims.flatMap((claim, index) => {
      if (isClaim(claim)) number += 1;
      const last = Math.max(...claim.summary_spans.map((span) => span[1]));
      const key = `${index} ${number} ${claim.verdict ?? 'pending'}`;
      const keyAt = (/** @type {number} */ end) => (end === last ? `${key} last` : key);
      return claim.summary_spans.map((span) => this.summary.range(span, isClaim(claim) ? keyAt(span[1]) : NOT_A_CLAIM));
    });
    const focused = /** @type {HTMLElement | null} */ (this.summaryPlace.querySelector(':focus'));
    this.summary.draw([...ranges, ...this.corrections.accepted]);
    this.correctionsLine.draw(this.claims, this.result !== null);
    this.drawSelection();
    if (focused && !focused.isConnected)
      this.numberOf(Number(focused.dataset.claim))?.focus({ preventScroll: true });
  }

  drawSelection() {
    for (const covered of this.summaryPlace.querySelectorAll('.is-selected'))
      covered.classList.remove('is-selected');
    for (const number of this.summaryPlace.querySelectorAll('[aria-pressed="true"]'))
      number.setAttribute('aria-pressed', 'false');
    if (this.selected === null) return;
    for (const covered of this.summaryPlace.querySelectorAll(`[data-claims~="${this.selected}"]`))
      covered.classList.add('is-selected');
    this.numberOf(this.selected)?.setAttribute('aria-pressed', 'true');
  }

  /**
   * The button of a claim in the summary.
   * @param {number} index
   * @returns {HTMLElement | null}
   */
  numberOf(index) {
    return this.summaryPlace.querySelector(`[data-claim="${index}"]`);
  }

  drawDocument() {
    const whole = this.selected !== null && this.isWhole(this.selected);
    this.note.hidden = !whole;
    const isSupported = this.selected !== null && this.claims[this.selected].verdict === 'supported';
    this.note.textContent = `The whole document is the ${isSupported ? '' : 'closest '}evidence.`;
    this.documentPane.classList.toggle('is-whole', whole);
    const parts = this.selected === null ? [] : this.parts(this.selected);
    const marked = parts.filter((part) => !(whole && part.role === 'evidence'));
    const selected = /** @type {number} */ (this.selected);
    this.document.draw(marked.flatMap((part) => this.rangesOf(selected, part.role)));
  }

  /**
   * The elements of a part of the document.
   * @param {Role} role
   * @returns {HTMLElement[]}
   */
  marks(role) {
    return [...this.documentPane.querySelectorAll(`mark[data-roles~="${role}"]`)].map(
      (mark) => /** @type {HTMLElement} */ (mark),
    );
  }

  /**
   * Scrolls to a part, and to the other one too if both fit.
   * @param {Role} role
   */
  reveal(role) {
    const own = this.marks(role);
    if (own.length === 0) {
      scrollInto(this.documentPane, [this.note.hidden ? this.documentPane : this.note]);
      return;
    }
    const both = [...own, ...this.marks(role === 'counter' ? 'evidence' : 'counter')];
    const fits = heightOf(both) <= visibleArea(this.documentPane).height - 2 * REVEAL_MARGIN;
    scrollInto(this.documentPane, fits ? both : own);
  }

  /**
   * Scrolls to a part and moves the focus there.
   * @param {Role} role
   */
  jump(role) {
    const marks = this.marks(role);
    const target = marks[0] ?? this.documentPane;
    scrollInto(this.documentPane, marks.length > 0 ? marks : [this.note]);
    if (marks.length > 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
}

/**
 * The limits and caps that decided the verdicts.
 * @param {Limits} limits
 */
function limitsInForce(limits) {
  const shown = (/** @type {number} */ value) => String(value).replace('-', '\u2212');
  const { supported, contradicted, quantity_nowhere: quantity, date_nowhere: date, instead, unsure_within: unsure } = limits;
  const caps = [
    ...(quantity === undefined ? [] : [`${shown(quantity)} with a number that is nowhere in the document`]),
    ...(date === undefined ? [] : [`${shown(date)} with a date that is nowhere in it`]),
    ...(instead === undefined ? [] : [`${shown(instead)} where it says something else`]),
  ];
  const within = unsure === undefined ? '' : `, unsure within ${shown(unsure)} of that`;
  const atMost = caps.length ? ` Scores are at most ${caps.join(', ')}.` : '';
  return `Supported from ${shown(supported)}${within}, contradicted above ${shown(contradicted)}.${atMost}`;
}

/** @param {number} count */
function wrongCitations(count) {
  return counted(count, 'wrong citation');
}

/**
 * What was computed and what was left out, in one line.
 * @param {Result} result
 */
function computed({ ledger, profile }) {
  if (ledger?.premises === undefined) return '';
  const { premises, premises_skipped: skipped = 0, premises_screened: screened = 0 } = ledger;
  const { method, sentences } = profile?.screen ?? {};
  const screen = screened > 0 && method ? ` (${screened} by the screen ${method}:${sentences})` : '';
  const compared = `${counted(ledger.sentences, 'document sentence')}, ${counted(premises, 'premise')} compared`;
  return `${compared}, ${skipped + screened} left out${screen}`;
}

/** @param {string} text */
function hasWords(text) {
  return /[\p{L}\p{N}]/u.test(text);
}

function hasTextSelected() {
  return getSelection()?.isCollapsed === false;
}

/**
 * A view to which claims are added as they are decided.
 * @param {HTMLElement} container is emptied
 * @param {Texts} texts
 */
function createView(container, texts) {
  const view = new PairView(container, texts);
  view.drawVerdict();
  return view;
}

/**
 * A view of a finished result.
 * @param {HTMLElement} container is emptied
 * @param {{document: string, summary: string, result: Result, notes?: string[]}} pair
 */
function renderResult(container, { result, notes = [], ...texts }) {
  const view = new PairView(container, { ...texts, sources: result.ledger?.sources });
  notes.forEach((note) => view.addNote(note));
  view.setResult(result);
  return view;
}
