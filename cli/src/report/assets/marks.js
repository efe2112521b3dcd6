'use strict';
// Marked parts of texts: what claims cover in the summary, and their evidence in the document.

/** @type {Record<string, string>} */
const ROLE_WORDS = {
  evidence: 'evidence',
  counter: 'counter-evidence',
  mention: 'mention',
  name: 'read as',
};

/**
 * A part of the summary that claims cover or a correction replaces, followed by the numbers of the claims that end there.
 * @param {Piece} piece
 * @param {string} text
 */
function drawCovered(piece, text) {
  const correction = piece.ranges.find((range) => range.key.startsWith(CORRECTED));
  const claims = piece.ranges.filter((range) => range !== correction && range.key !== NOT_A_CLAIM);
  if (claims.length === 0 && !correction) return drawOther(text);
  const covering = claims.map((range) => {
    const [claim, number, verdict, last] = range.key.split(' ');
    return { claim, number, verdict, ends: last === 'last' && range.end === piece.end };
  });
  covering.sort((a, b) => Number(a.claim) - Number(b.claim));
  const order = ['contradicted', 'unsupported', 'unsure', 'pending', 'supported', 'no_answer'];
  const worst = order.find((verdict) => covering.some((one) => one.verdict === verdict)) ?? 'pending';
  const covered = element('span', {
    class: `covered is-${worst}`,
    'data-claims': [...new Set(covering.map((one) => one.claim))].join(' '),
  });
  if (!correction) appendText(covered, text);
  // Where claims end inside a correction there are several pieces, and the first one has the new text.
  else if (piece.start === correction.start)
    covered.append(element('ins', {}, isolated(correction.key.slice(CORRECTED.length))));
  const made = document.createDocumentFragment();
  if (covered.hasChildNodes()) made.append(covered);
  for (const { claim, number, verdict, ends } of covering)
    if (ends) made.append(numberButton(claim, number, verdict));
  return made;
}

/**
 * A part of the summary that states nothing.
 * @param {string} text
 */
function drawOther(text) {
  const other = element('span', { class: 'not-claim' });
  appendText(other, text);
  other.append(element('span', { class: 'visually-hidden' }, ` (${NOT_A_CLAIM})`));
  return other;
}

/**
 * @param {string} claim its index
 * @param {string} number
 * @param {string} verdict
 */
function numberButton(claim, number, verdict) {
  const outcome = verdict === 'pending' ? 'not judged yet' : verdict;
  const button = element('button', {
    type: 'button',
    class: `number is-${verdict}`,
    dir: 'ltr',
    'data-claim': claim,
    'aria-pressed': 'false',
    'aria-label': `Claim ${number}, ${outcome}: show its evidence`,
  });
  button.append(number);
  return button;
}

/**
 * A marked part of the document, preceded by its role where it begins.
 * @param {Piece} piece
 * @param {string} text
 */
function drawEvidence(piece, text) {
  const roles = piece.ranges.map((range) => range.key);
  const made = document.createDocumentFragment();
  for (const range of piece.ranges) {
    if (range.start === piece.start && ROLE_WORDS[range.key])
      made.append(element('span', { class: `chip is-${range.key}`, dir: 'ltr' }, ROLE_WORDS[range.key]));
  }
  const mark = element('mark', {
    class: roles.map((role) => `is-${role}`).join(' '),
    'data-roles': roles.join(' '),
  });
  appendText(mark, text);
  made.append(mark);
  return made;
}
