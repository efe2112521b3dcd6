'use strict';
// The card of a claim: its text, its verdict and, when it is opened, its evidence.

/**
 * A claim of a result, as `score --format json` writes it. A claim without a verdict is not judged yet.
 * @typedef {object} Claim
 * @property {string} text
 * @property {[number, number][]} summary_spans
 * @property {number} [score]
 * @property {Verdict} [verdict]
 * @property {string} [reason] why the verdict does not follow from the score
 * @property {string} [cap] the rule that capped the score
 * @property {{entailment: number, neutral: number, contradiction: number}} [probabilities]
 * @property {'sentence' | 'coref' | 'window' | 'document'} [level]
 * @property {Quoted} [evidence]
 * @property {{mention_span: [number, number], by_span: [number, number], rewritten: string} | null} [substitution]
 * @property {(Quoted & {contradiction: number, quantity?: {claim: string, document: string}}) | null} [counter_evidence]
 * @property {{span: [number, number]}[]} [unsupported_words] places in the claim's text that its evidence does not support
 * @property {{not_found: string[]}} [support]
 * @property {Instead} [instead] what the document says in the place of a part of it
 * @property {'insensitive'} [certainty] what the score is worth, where that is not what scores usually are
 * @property {Citation[]} [citations] the sources that its sentence cites, if citations were checked
 */

/**
 * A source that a claim's sentence cites, and whether it supports the claim.
 * @typedef {object} Citation
 * @property {string} marker
 * @property {string} source
 * @property {'supports' | 'supports_together' | 'other_supports' | 'none' | 'unknown_source'} verdict
 * @property {number} [score]
 * @property {string} [other] the source that supports it instead
 */

/** Sentences of the document; `spans`, if present, has one span a sentence.
 * @typedef {{span: [number, number], spans?: [number, number][]}} Quoted */

/** @typedef {'supported' | 'unsure' | 'unsupported' | 'contradicted'} Verdict */

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
 * @property {() => boolean} isWhole whether the evidence is the whole document
 * @property {(role: Role) => string[]} sources the ids of the sources that it is in, if the document is a list
 * @property {CorrectionActions} correction
 */

/** Longest quotation that is shown whole, in UTF-16 units. */
const QUOTED_UNITS = 700;

const INSENSITIVE =
  "The judge accepts this claim's denial, or every changed version of it, just as well: its score proves nothing.";

/** @type {Record<Verdict | 'pending', string>} */
const VERDICT_MARKS = {
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
  document: 'all sentences that were read',
};

/**
 * A number with two decimals and a true minus sign.
 * @param {number} value
 */
function decimal(value) {
  const text = value.toFixed(2);
  return (text === '-0.00' ? '0.00' : text).replace('-', '\u2212');
}

/**
 * The sign of a verdict, with its word for screen readers.
 * @param {Verdict | 'pending'} verdict
 * @param {boolean} [withWord] whether the word is visible
 */
function verdictBadge(verdict, withWord = false) {
  const word = verdict === 'pending' ? 'not judged yet' : verdict;
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
    this.number = index + 1;
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
    this.body = element('div', { class: 'claim-body', id: bodyId });
    this.item = element(
      'li',
      { class: 'claim' },
      element('div', { class: 'claim-card' }, this.head, this.body),
    );
  }

  /** @param {Claim} claim */
  show(claim) {
    this.claim = claim;
    const verdict = claim.verdict ?? 'pending';
    this.item.dataset.verdict = verdict;
    const text = claimText(claim);
    this.head.replaceChildren(
      verdictBadge(verdict, false),
      element(
        'span',
        { class: 'claim-words' },
        element('span', { class: 'claim-number' }, `${this.number}. `),
        text,
      ),
      element(
        'span',
        { class: 'claim-outcome' },
        element(
          'span',
          { class: 'claim-verdict', 'aria-hidden': 'true' },
          verdict === 'pending' ? 'not judged yet' : verdict + remark(claim),
        ),
        element('span', { class: 'score' }, claim.score === undefined ? '' : decimal(claim.score)),
      ),
    );
    this.isFilled = false;
    this.body.replaceChildren();
    if (this.isOpen) this.fill();
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
    const { probabilities, substitution, counter_evidence: counter, support, instead, certainty } = this.claim;
    if (!probabilities) return [element('p', { class: 'hint' }, 'This claim is not judged yet.')];
    const parts = [probabilityBar(probabilities), ...capNote(this.claim)];
    if (certainty === 'insensitive') parts.push(element('p', { class: 'insensitive' }, INSENSITIVE));
    if (instead) {
      const jump = this.jump(isPart(instead) ? 'instead' : 'evidence', 'The document says');
      parts.push(correctionAt(instead, jump, this.actions.correction));
    }
    parts.push(...citationList(this.claim.citations ?? []));
    parts.push(this.premise());
    const words = unsupportedWords(this.claim);
    if (words.length) {
      const quoted = words.flatMap((word, index) => [index ? ', \u201c' : '\u201c', isolated(word), '\u201d']);
      parts.push(element('p', { class: 'not-supported' }, 'Not in the evidence: ', ...quoted));
    }
    if (substitution) parts.push(this.substitution(substitution.rewritten));
    if (counter) {
      const { quantity } = counter;
      // The correction above has the quantity.
      const note = quantity && !instead ? `${quantity.document}, not ${quantity.claim}` : `contradiction ${decimal(counter.contradiction)}`;
      const where = inSources(this.actions.sources('counter'));
      parts.push(this.quotation('counter', 'Counter-evidence', note + where, this.actions.quote('counter')));
    }
    if (support) parts.push(...notFound(support));
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
    const head = element(
      'p',
      { class: 'premise-head' },
      this.jump(role, title),
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
 * The citations of a claim and what they are worth.
 * @param {Citation[]} citations
 */
function citationList(citations) {
  if (citations.length === 0) return [];
  const items = citations.map(({ marker, source, verdict, score, other = '' }) => {
    const alone = score === undefined ? '' : ` (${decimal(score)})`;
    /** @type {Record<string, (Node | string)[]>} */
    const words = {
      supports: ['source ', isolated(source), ` supports it${alone}`],
      supports_together: ['source ', isolated(source), ` does not support it alone${alone}, the cited sources together do`],
      other_supports: ['source ', isolated(source), ` does not support it${alone}, source `, isolated(other), ' does'],
      none: ['source ', isolated(source), ` does not support it${alone}, nor does another one`],
      unknown_source: ['no source is named ', isolated(source)],
    };
    const isGood = verdict === 'supports' || verdict === 'supports_together';
    return element(
      'li',
      { class: `citation is-${isGood ? 'supported' : 'unsupported'}` },
      element('span', { class: 'citation-marker' }, isolated(marker)),
      ' ',
      ...(words[verdict] ?? [verdict]),
    );
  });
  return [element('ul', { class: 'citations', 'aria-label': 'Citations' }, ...items)];
}

/**
 * What limits a claim's verdict, in brackets.
 * @param {Claim} claim
 */
function remark({ reason, certainty }) {
  const words = [reason, certainty].filter(Boolean);
  return words.length ? ` (${words.join(', ')})` : '';
}

/** Rules that cap a score, in words. */
const CAPS = {
  quantity_nowhere: 'a number that is nowhere in the document',
  date_nowhere: 'a date that is nowhere in the document',
  instead: 'the document says something else',
};

/**
 * The rule that capped a claim's score.
 * @param {Claim} claim
 */
function capNote({ cap, probabilities }) {
  if (cap === undefined) return [];
  const alone = `the judge alone says ${Math.round(100 * probabilities.entailment)}%`;
  return [element('p', { class: 'hint' }, `Capped: ${CAPS[cap] ?? cap}; ${alone}.`)];
}

/**
 * What of the claim was not found in the document.
 * @param {{not_found: string[]}} support
 */
function notFound(support) {
  return support.not_found.map((text) => element('p', { class: 'not-found' }, isolated(text)));
}

/**
 * The words of a claim that its evidence does not support.
 * @param {Claim} claim
 * @returns {string[]}
 */
function unsupportedWords(claim) {
  const characters = Array.from(claim.text);
  return (claim.unsupported_words ?? []).map(({ span: [start, end] }) => characters.slice(start, end).join(''));
}

/**
 * A claim's text with its unsupported words marked.
 * @param {Claim} claim
 */
function claimText(claim) {
  const characters = Array.from(claim.text);
  const made = element('bdi', { class: 'claim-text' });
  let shown = 0;
  for (const { span: [start, end] } of claim.unsupported_words ?? []) {
    appendText(made, characters.slice(shown, start).join(''));
    const marked = element('span', { class: `unsupported-words is-${claim.verdict}` });
    appendText(marked, characters.slice(start, end).join(''));
    made.append(marked);
    shown = end;
  }
  appendText(made, characters.slice(shown).join(''));
  return made;
}

/** @param {{entailment: number, neutral: number, contradiction: number}} probabilities */
function probabilityBar(probabilities) {
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
    list.append(element('div', {}, term, element('dd', {}, decimal(probabilities[name]))));
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
