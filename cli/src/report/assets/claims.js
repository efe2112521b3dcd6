'use strict';
// The card of a claim: its text, its verdict in a sentence and, when it is opened, its evidence. Parts of the summary that
// state nothing stand between the cards.

/**
 * A claim of a result, as `score --format json` writes it. A claim without a verdict is not judged yet; with the reason
 * `not a claim`, it is a part of the summary that states nothing.
 * @typedef {object} Claim
 * @property {string} text
 * @property {[number, number][]} summary_spans
 * @property {number | null} [score]
 * @property {Verdict | null} [verdict]
 * @property {string} [explanation] the verdict in a plain sentence; earlier versions wrote none
 * @property {string} [reason] why the verdict does not follow from the score
 * @property {string} [cap] the rule that capped the score
 * @property {{entailment: number, neutral: number, contradiction: number}} [probabilities]
 * @property {'sentence' | 'coref' | 'window' | 'document'} [level]
 * @property {Quoted} [evidence]
 * @property {{mention_span: [number, number], by_span: [number, number], rewritten: string} | null} [substitution]
 * @property {(Quoted & {contradiction: number}) | null} [counter_evidence]
 * @property {{span: [number, number]}[]} [unsupported_words] places in the claim's text that its evidence does not support
 * @property {{not_found: string[]}} [support]
 * @property {Instead} [instead] what the document says in the place of a part of it
 * @property {Citation[]} [citations] the sources that its sentence cites, if citations were checked
 */

/**
 * A source that a claim's sentence cites, and whether it supports the claim.
 * @typedef {object} Citation
 * @property {string} marker
 * @property {string} source
 * @property {'supports' | 'supports_together' | 'other_supports' | 'none' | 'unknown_source'} verdict
 * @property {number} [score]
 */

/**
 * Sentences of the document.
 * @typedef {object} Quoted
 * @property {string} [text] what was said, if the document is a transcript
 * @property {[number, number]} span
 * @property {[number, number][]} [spans] one a sentence
 * @property {number} [turn] the turn of a transcript that it is in, or begins in
 * @property {number} [last_turn]
 * @property {string} [speaker] who speaks there
 * @property {string} [time]
 * @property {{form: string, number: number, last?: number, name?: string, time?: string}} [place] its place in another
 *   document that is not prose
 */

/** What a passage of a form is called. */
const UNITS = {
  table: 'row',
  mail: 'message',
  data: 'object',
  records: 'record',
  log: 'line',
  commands: 'command',
  diff: 'change',
};

/**
 * The limits that decided the verdicts.
 * @typedef {object} Limits
 * @property {number} supported
 * @property {number} contradicted
 * @property {number} [quantity_nowhere] the caps of scores, where the rules cap them
 * @property {number} [date_nowhere]
 * @property {number} [instead]
 * @property {number} [unsure_within]
 */

/** @typedef {'no_answer' | 'supported' | 'unsure' | 'unsupported' | 'contradicted'} Verdict */

/** A part of the document that a claim refers to; `name` is what replaces the mention, `instead` the correct text.
 * @typedef {'evidence' | 'counter' | 'mention' | 'name' | 'instead'} Role */

/**
 * What a card needs of its view.
 * @typedef {object} CardActions
 * @property {() => void} open selects the claim
 * @property {() => void} close
 * @property {(step: number) => void} step opens the next or previous claim
 * @property {(role: Role) => void} jump scrolls to a part of the document
 * @property {(role: Role) => string} quote the document's text there
 * @property {(role: Role) => string} said who says it, if the document is a transcript
 * @property {() => boolean} isWhole whether the evidence is the whole document
 * @property {(role: Role) => string[]} sources the ids of the sources that it is in, if the document is a list
 * @property {() => Limits | undefined} limits
 * @property {CorrectionActions} correction
 */

/** Longest quotation that is shown whole, in UTF-16 units. */
const QUOTED_UNITS = 700;

/** The reason of a part of the summary that states nothing. */
const NOT_A_CLAIM = 'not a claim';

/** @type {Record<Verdict | 'pending', string>} */
const VERDICT_MARKS = {
  no_answer: '-',
  supported: '\u2713',
  unsure: '~',
  unsupported: '?',
  contradicted: '\u2717',
  pending: '\u2026',
};

/** @type {Record<string, string>} */
const LEVEL_WORDS = {
  sentence: 'one sentence',
  coref: 'one sentence, read with another name',
  window: 'several sentences',
  document: 'a long passage',
};

/** @type {Record<Citation['verdict'], string>} */
const CITATION_WORDS = {
  supports: 'supports it',
  supports_together: 'supports it together with the others',
  other_supports: 'does not support it',
  none: 'does not support it',
  unknown_source: 'does not exist',
};

/**
 * A number with a true minus sign and two decimals, or as many as show on which side of the limits it is.
 * @param {number} value
 * @param {Limits} [limits]
 */
function decimal(value, limits) {
  const bounds = limits ? [limits.supported, limits.contradicted] : [];
  const isTrue = (/** @type {string} */ text) => bounds.every((limit) => Number(text) >= limit === value >= limit);
  const text = [2, 3, 4, 5, 6].map((digits) => value.toFixed(digits)).find(isTrue) ?? String(value);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '\u2212');
}

/**
 * Whether a part of the summary states something.
 * @param {Claim} claim
 */
function isClaim({ reason }) {
  return reason !== NOT_A_CLAIM;
}

/**
 * Whether a source that a claim cites is missing, or no source that it cites supports it.
 * @param {Claim} claim
 */
function hasWrongCitation({ citations = [] }) {
  const verdicts = citations.map(({ verdict }) => verdict);
  if (verdicts.includes('unknown_source')) return true;
  return verdicts.length > 0 && !verdicts.some((verdict) => verdict === 'supports' || verdict === 'supports_together');
}

/** @param {Verdict | 'pending'} verdict */
function verdictWord(verdict) {
  return verdict === 'pending' ? 'not judged yet' : verdict.replace('_', ' ');
}

/**
 * The sign of a verdict, with its word for screen readers.
 * @param {Verdict | 'pending'} verdict
 * @param {boolean} [withWord] whether the word is visible
 */
function verdictBadge(verdict, withWord = false) {
  const word = verdictWord(verdict);
  return element(
    'span',
    { class: `badge is-${verdict}` },
    element('span', { class: 'badge-mark', 'aria-hidden': 'true' }, VERDICT_MARKS[verdict]),
    element('span', { class: withWord ? 'badge-word' : 'visually-hidden' }, word),
  );
}

/** The card of one claim. Its content is made when it is first opened. */
class ClaimCard {
  /**
   * @param {number} index
   * @param {string} idPrefix
   * @param {CardActions} actions
   */
  constructor(index, idPrefix, actions) {
    this.actions = actions;
    this.isFilled = false;
    /** @type {Claim} */
    this.claim = { text: '', summary_spans: [] };
    const bodyId = `${idPrefix}-claim-${index}`;
    this.head = element('button', {
      type: 'button',
      class: 'claim-head',
      'aria-expanded': 'false',
      'aria-controls': bodyId,
    });
    this.head.addEventListener('click', actions.open);
    this.score = element('span', { class: 'score' });
    this.body = element('div', { class: 'claim-body', id: bodyId });
    this.card = element('div', { class: 'claim-card' }, this.head, this.body);
    this.item = element('li', { class: 'claim' }, this.card);
  }

  /**
   * @param {Claim} claim
   * @param {number} number its number among the claims
   */
  show(claim, number) {
    this.claim = claim;
    if (!isClaim(claim)) {
      this.item.dataset.verdict = 'none';
      this.item.replaceChildren(otherPart(claim));
      return;
    }
    const verdict = claim.verdict ?? 'pending';
    this.item.dataset.verdict = verdict;
    const { explanation } = claim;
    this.head.replaceChildren(
      verdictBadge(verdict, false),
      element(
        'span',
        { class: 'claim-words' },
        element('span', { class: 'claim-number' }, `${number}. `),
        this.text(),
      ),
      element(
        'span',
        { class: 'claim-outcome' },
        element(
          'span',
          { class: 'claim-verdict', 'aria-hidden': 'true' },
          verdictWord(verdict),
        ),
        this.score,
        ...(hasWrongCitation(claim) ? [wrongCitation('wrong citation')] : []),
      ),
      ...(explanation ? [isolated(explanation, 'claim-explanation')] : []),
    );
    this.drawScore();
    this.isFilled = false;
    this.body.replaceChildren();
    if (this.isOpen) this.fill();
  }

  /** Draws the score, whose digits depend on the limits. */
  drawScore() {
    this.score.textContent = typeof this.claim.score === 'number' ? decimal(this.claim.score, this.actions.limits()) : '';
  }

  get isOpen() {
    return this.item.classList.contains('is-open');
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.item.classList.toggle('is-open', isOpen);
    this.head.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) this.fill();
  }

  /** Makes the content. */
  fill() {
    if (this.isFilled) return;
    this.isFilled = true;
    this.body.replaceChildren(...this.content(), this.steps());
  }

  content() {
    const { probabilities, substitution, counter_evidence: counter, instead } = this.claim;
    if (!probabilities) return [element('p', { class: 'hint' }, 'This claim is not judged yet.')];
    const parts = [probabilityBar(probabilities, this.actions.limits()), ...capNote(this.claim)];
    if (instead) {
      const jump = this.jump(isPart(instead) ? 'instead' : 'evidence', 'Correction');
      parts.push(correctionAt(instead, jump, this.actions.correction));
    }
    parts.push(...citationList(this.claim.citations ?? []));
    parts.push(this.premise());
    if (substitution) parts.push(this.substitution(substitution.rewritten));
    if (counter) {
      const note = `contradiction ${decimal(counter.contradiction, this.actions.limits())}`;
      const where = inSources(this.actions.sources('counter'));
      parts.push(this.quotation('counter', 'Counter-evidence', note + where, this.actions.quote('counter')));
    }
    parts.push(...notFound(this.claim));
    return parts;
  }

  premise() {
    const level = this.claim.level ?? 'sentence';
    const isWhole = this.actions.isWhole();
    const quote = isWhole ? '' : this.actions.quote('evidence');
    const title = this.claim.verdict === 'supported' ? 'Evidence' : 'Closest evidence';
    const where = inSources(this.actions.sources('evidence'));
    return this.quotation('evidence', title, isWhole ? 'the whole document' : (LEVEL_WORDS[level] ?? level) + where, quote);
  }

  /**
   * @param {Role} role
   * @param {string} title
   * @param {string} note
   * @param {string} quote
   */
  quotation(role, title, note, quote) {
    const said = this.actions.said(role);
    const head = element(
      'p',
      { class: 'premise-head' },
      this.jump(role, title),
      ...(said ? [isolated(said, 'said')] : []),
      element('span', { class: 'premise-note' }, note),
    );
    const made = element('div', { class: `premise is-${role}` }, head);
    if (quote) made.append(element('blockquote', { dir: 'auto' }, shortened(quote)));
    return made;
  }

  /** @param {string} rewritten */
  substitution(rewritten) {
    const made = element(
      'p',
      { class: 'premise-head' },
      this.jump('mention', '', isolated(this.actions.quote('mention'))),
      element('span', { class: 'premise-note' }, 'read as'),
      this.jump('name', '', isolated(this.actions.quote('name'))),
    );
    const quote = element('blockquote', { dir: 'auto' }, shortened(rewritten));
    return element('div', { class: 'premise is-name' }, made, quote);
  }

  /** The claim's text; marked are the words that neither its evidence nor the passage against it has. */
  text() {
    const characters = Array.from(this.claim.text);
    const made = element('bdi', { class: 'claim-text' });
    let shown = 0;
    for (const [start, end] of this.wordsNowhere(characters)) {
      appendText(made, characters.slice(shown, start).join(''));
      const marked = element('span', { class: `unsupported-words is-${this.claim.verdict}` });
      appendText(marked, characters.slice(start, end).join(''));
      made.append(marked);
      shown = end;
    }
    appendText(made, characters.slice(shown).join(''));
    return made;
  }

  /** @param {string[]} characters the characters of the claim */
  wordsNowhere(characters) {
    const spans = (this.claim.unsupported_words ?? []).map(({ span }) => span);
    if (spans.length === 0) return spans;
    const said = [this.actions.quote('evidence'), this.actions.quote('counter')].map((text) => text.toLowerCase());
    const words = (/** @type {[number, number]} */ [start, end]) => characters.slice(start, end).join('').toLowerCase();
    return spans.filter((span) => !said.some((text) => text.includes(words(span))));
  }

  /**
   * A button that scrolls to a part of the document.
   * @param {Role} role
   * @param {string} title
   * @param {...Node} children
   */
  jump(role, title, ...children) {
    const button = element('button', { type: 'button', class: `jump is-${role}` }, title, ...children);
    button.append(element('span', { class: 'visually-hidden' }, ', show in the document'));
    button.addEventListener('click', () => this.actions.jump(role));
    return button;
  }

  /** The buttons below a claim, for windows in which the list is not visible. */
  steps() {
    /** @type {[string, () => void][]} */
    const buttons = [
      ['Previous', () => this.actions.step(-1)],
      ['Next', () => this.actions.step(1)],
      ['Close', () => this.actions.close()],
    ];
    const made = element('div', { class: 'claim-steps' });
    for (const [word, act] of buttons) {
      const button = element(
        'button',
        { type: 'button', class: 'plain-button' },
        word,
        element('span', { class: 'visually-hidden' }, ' claim'),
      );
      button.addEventListener('click', act);
      made.append(button);
    }
    return made;
  }
}

/**
 * The sources that something is in, in words.
 * @param {string[]} ids
 */
function inSources(ids) {
  if (ids.length === 0) return '';
  return `, in source${ids.length > 1 ? 's' : ''} ${ids.join(', ')}`;
}

/**
 * A part of the summary that states nothing, as it stands between the claims.
 * @param {Claim} part
 */
function otherPart({ text }) {
  return element('p', { class: 'other-part' }, isolated(text), element('span', { class: 'other-reason' }, NOT_A_CLAIM));
}

/**
 * The mark of wrong citations.
 * @param {string} words
 */
function wrongCitation(words) {
  return element(
    'span',
    { class: 'wrong-citation' },
    element('span', { 'aria-hidden': 'true' }, `${VERDICT_MARKS.contradicted} `),
    words,
  );
}

/**
 * Who says a passage of a transcript, and when; of another form, where it stands.
 * @param {Quoted} passage
 */
function saidBy({ turn, last_turn: last, speaker, time, place }) {
  if (place !== undefined) {
    const unit = UNITS[place.form] ?? 'passage';
    const numbers = place.last === undefined ? `${unit} ${place.number}` : `${unit}s ${place.number} to ${place.last}`;
    return [numbers, place.name, place.time].filter(Boolean).join(', ');
  }
  if (turn === undefined) return '';
  const first = [speaker, time].filter(Boolean).join(', ') || `turn ${turn}`;
  return last === undefined ? first : `from ${first}`;
}

/**
 * The citations of a claim and what they are worth.
 * @param {Citation[]} citations
 */
function citationList(citations) {
  if (citations.length === 0) return [];
  const items = citations.map(({ marker, source, verdict, score }) => {
    const isGood = verdict === 'supports' || verdict === 'supports_together';
    return element(
      'li',
      { class: `citation is-${isGood ? 'supported' : 'unsupported'}` },
      element('span', { class: 'citation-marker' }, isolated(marker)),
      ' source ',
      isolated(source),
      ` ${CITATION_WORDS[verdict] ?? verdict}`,
      score === undefined ? '' : ` (${decimal(score)})`,
    );
  });
  return [element('ul', { class: 'citations', 'aria-label': 'Citations' }, ...items)];
}

/**
 * What the judge alone says of a claim whose score a rule capped.
 * @param {Claim} claim
 */
function capNote({ cap, score, probabilities }) {
  if (cap === undefined || !probabilities || typeof score !== 'number') return [];
  const words = `Capped at ${decimal(score)}: the judge alone says ${decimal(probabilities.entailment)}.`;
  return [element('p', { class: 'hint' }, words)];
}

/**
 * What of the claim is nowhere in the document, beside what its explanation and its correction tell.
 * @param {Claim} claim
 */
function notFound({ support, explanation = '', instead }) {
  const isTold = (/** @type {string} */ text) => explanation.includes(text) || (instead && text.includes(instead.text));
  const rest = (support?.not_found ?? []).filter((text) => !isTold(text));
  return rest.map((text) => element('p', { class: 'not-found' }, isolated(text)));
}

/**
 * @param {{entailment: number, neutral: number, contradiction: number}} probabilities
 * @param {Limits} [limits]
 */
function probabilityBar(probabilities, limits) {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
  const list = element('dl', { class: 'probabilities' });
  /** @type {['entailment' | 'neutral' | 'contradiction', string][]} */
  const names = [
    ['entailment', 'entailed'],
    ['neutral', 'neutral'],
    ['contradiction', 'contradicted'],
  ];
  for (const [name, word] of names) {
    const part = element('span', { class: `bar-part is-${name}` });
    part.style.flexGrow = String(probabilities[name]);
    bar.append(part);
    const term = element(
      'dt',
      {},
      element('span', { class: `bar-key is-${name}`, 'aria-hidden': 'true' }),
      word,
    );
    list.append(element('div', {}, term, element('dd', {}, decimal(probabilities[name], limits))));
  }
  return element('div', { class: 'measure' }, bar, list);
}

/**
 * A text; the middle of a long one is left out.
 * @param {string} text
 */
function shortened(text) {
  const made = document.createDocumentFragment();
  if (text.length <= QUOTED_UNITS) {
    appendText(made, text);
    return made;
  }
  const half = QUOTED_UNITS / 2;
  appendText(made, wholeCharacters(text.slice(0, half)));
  made.appendChild(element('span', { class: 'left-out' }, ' [\u2026] '));
  appendText(made, wholeCharacters(text.slice(-half)));
  return made;
}

/**
 * A text without unpaired surrogates at its ends.
 * @param {string} text
 */
function wholeCharacters(text) {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
