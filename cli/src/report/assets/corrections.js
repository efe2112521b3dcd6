'use strict';
// Corrections: what the document says in the place of a part of the summary, which of them the reader accepts, and the
// summary with these.

/**
 * What the document says in the place of a part of a claim.
 * @typedef {object} Instead
 * @property {'quantity' | 'date' | 'name' | 'speaker' | 'roles' | 'denial'} kind
 * @property {string} text
 * @property {string} document
 * @property {[number, number]} document_span
 * @property {[number, number] | null} [summary_span] none where it, or its place, is not certain
 */

/**
 * What a correction at a claim needs of its view.
 * @typedef {object} CorrectionActions
 * @property {() => boolean} isAccepted
 * @property {(isAccepted: boolean) => void} accept
 */

/** Before the new text in the key of a marking. */
const CORRECTED = 'corrected ';

/** Said where claims are wrong and none has a correction. */
const NOTHING_INSTEAD = 'Nothing was found in the document that belongs in the place of what is wrong.';

/** How long a button tells that it has copied, in milliseconds. */
const COPIED_MS = 2000;

/** The accepted corrections of a summary; their places do not overlap. */
class Corrections {
  /** @param {MarkedText} summary */
  constructor(summary) {
    this.summary = summary;
    /** @type {Marking[]} */
    this.accepted = [];
  }

  /**
   * The place of a correction in the summary.
   * @param {Instead | undefined} instead
   * @returns {Marking | null}
   */
  place(instead) {
    if (!instead?.summary_span) return null;
    return this.summary.range(instead.summary_span, CORRECTED + instead.document);
  }

  /** @param {Instead | undefined} instead */
  isAccepted(instead) {
    const place = this.place(instead);
    return place !== null && this.accepted.some((other) => isSameMarking(other, place));
  }

  /**
   * Accepts a correction, in the place of those that overlap it, or withdraws it.
   * @param {Instead | undefined} instead
   * @param {boolean} isAccepted
   */
  accept(instead, isAccepted) {
    const place = this.place(instead);
    if (!place) return;
    this.accepted = this.accepted.filter((other) => other.end <= place.start || other.start >= place.end);
    if (isAccepted) this.accepted.push(place);
    this.accepted.sort((a, b) => a.start - b.start);
  }

  /** The corrected summary. */
  text() {
    const { text } = this.summary;
    let [made, end] = ['', 0];
    for (const place of this.accepted) {
      made += text.slice(end, place.start) + place.key.slice(CORRECTED.length);
      end = place.end;
    }
    return made + text.slice(end);
  }

  /**
   * How many different corrections of these claims have a place in the summary.
   * @param {Claim[]} claims
   */
  count(claims) {
    const places = claims.map((claim) => this.place(claim.instead));
    return new Set(places.flatMap((place) => (place ? [`${place.start} ${place.end} ${place.key}`] : []))).size;
  }
}

/**
 * Whether the document has the new text at a place of its own, and not only its meaning in the evidence.
 * @param {Instead} instead
 */
function isPart({ kind }) {
  return kind !== 'roles' && kind !== 'denial';
}

/**
 * Whether a claim was judged, and is not supported.
 * @param {Claim} claim
 */
function isWrong({ verdict, reason }) {
  return !reason && (verdict === 'unsupported' || verdict === 'contradicted');
}

/**
 * @param {Marking} one
 * @param {Marking} other
 */
function isSameMarking(one, other) {
  return one.start === other.start && one.end === other.end && one.key === other.key;
}

/**
 * The line below the summary: how many corrections are accepted, and a button that copies the corrected summary; or that
 * nothing can be corrected.
 */
class CorrectionsLine {
  /** @param {Corrections} corrections */
  constructor(corrections) {
    this.corrections = corrections;
    this.count = element('span', { class: 'corrections-count' });
    this.copyButton = element('button', { type: 'button', class: 'plain-button' });
    this.copyButton.addEventListener('click', () => void this.copy());
    this.element = element('p', { class: 'corrections', hidden: true }, this.count, this.copyButton);
  }

  /**
   * @param {Claim[]} claims
   * @param {boolean} isFinished whether all claims are judged
   */
  draw(claims, isFinished) {
    const all = this.corrections.count(claims);
    const accepted = this.corrections.accepted.length;
    const hasNone = isFinished && claims.some(isWrong) && !claims.some(({ instead }) => instead);
    this.element.hidden = all === 0 && !hasNone;
    this.count.textContent = hasNone ? NOTHING_INSTEAD : `${accepted} of ${counted(all, 'correction')} accepted`;
    this.copyButton.hidden = accepted === 0;
    this.copyButton.textContent = 'Copy corrected summary';
  }

  async copy() {
    const isCopied = await copyText(this.corrections.text());
    this.copyButton.textContent = isCopied ? 'Copied' : 'Your browser does not allow copying';
    setTimeout(() => {
      this.copyButton.textContent = 'Copy corrected summary';
    }, COPIED_MS);
  }
}

/**
 * Copies a text, also where the page has no secure connection, as on another machine of a network.
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const place = /** @type {HTMLTextAreaElement} */ (element('textarea', { class: 'visually-hidden' }));
    place.value = text;
    document.body.append(place);
    place.select();
    const isCopied = document.execCommand('copy');
    place.remove();
    focused?.focus({ preventScroll: true });
    return isCopied;
  }
}

/**
 * A correction at its claim: the old text struck through, the new one beside it, and a button that accepts it.
 * @param {Instead} instead
 * @param {Node} jump the button that shows it in the document
 * @param {CorrectionActions} actions
 */
function correctionAt(instead, jump, actions) {
  const change = element(
    'p',
    { class: 'correction-change' },
    element('del', {}, isolated(instead.text)),
    element('span', { class: 'visually-hidden' }, ' becomes '),
    element('ins', {}, isolated(instead.document)),
  );
  const head = element('p', { class: 'premise-head' }, jump);
  const made = element('div', { class: 'correction' }, head, change);
  if (instead.summary_span) change.append(acceptButton(actions));
  else head.append(element('span', { class: 'premise-note' }, uncertain(instead)));
  return made;
}

/**
 * Why a correction cannot be accepted.
 * @param {Instead} instead
 */
function uncertain(instead) {
  const place = 'its place in the summary is not certain';
  return instead.kind === 'name' ? `the document has both names, or ${place}` : place;
}

/** @param {CorrectionActions} actions */
function acceptButton(actions) {
  const button = element('button', { type: 'button', class: 'plain-button accept' });
  const draw = () => {
    button.replaceChildren(
      actions.isAccepted() ? 'Undo' : 'Accept',
      element('span', { class: 'visually-hidden' }, ' this correction'),
    );
  };
  button.addEventListener('click', () => actions.accept(!actions.isAccepted()));
  button.addEventListener(REDRAW, draw);
  draw();
  return button;
}

/** The event at which buttons show anew whether their correction is accepted. */
const REDRAW = 'veridic-corrections';

/** @param {HTMLElement} parent */
function redrawCorrections(parent) {
  for (const button of parent.querySelectorAll('.accept')) button.dispatchEvent(new Event(REDRAW));
}
