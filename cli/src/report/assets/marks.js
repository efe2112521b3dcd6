'use strict';
// Marked parts of texts: what claims cover in a summary, what they rest on in a document.

/** @type {Record<string, string>} */
const ROLE_WORDS = {
  evidence: 'evidence',
  counter: 'counter-evidence',
  mention: 'mention',
  name: 'read as',
};

/**
 * A part of the summary that claims cover, with the numbers of those that end there.
 * @param {Piece} piece
 * @param {string} text
 */
function drawSaid(piece, text) {
  const covering = piece.ranges.map((range) => {
    const [claim, verdict, last] = range.key.split(' ');
    return { claim, verdict, ends: last === 'last' && range.end === piece.end };
  });
  covering.sort((a, b) => Number(a.claim) - Number(b.claim));
  const order = ['contradicted', 'unsupported', 'pending', 'supported'];
  const worst = order.find((verdict) => covering.some((one) => one.verdict === verdict)) ?? 'pending';
  const said = element('span', {
    class: `said is-${worst}`,
    'data-claims': [...new Set(covering.map((one) => one.claim))].join(' '),
  });
  appendText(said, text);
  const made = document.createDocumentFragment();
  made.append(said);
  for (const { claim, verdict, ends } of covering)
    if (ends) made.append(numberButton(Number(claim), verdict));
  return made;
}

/**
 * @param {number} claim
 * @param {string} verdict
 */
function numberButton(claim, verdict) {
  const told = verdict === 'pending' ? 'not judged yet' : verdict;
  const button = element('button', {
    type: 'button',
    class: `number is-${verdict}`,
    dir: 'ltr',
    'data-claim': claim,
    'aria-pressed': 'false',
    'aria-label': `Claim ${claim + 1}, ${told}: show its evidence`,
  });
  button.append(String(claim + 1));
  return button;
}

/**
 * A part of the document that is marked; where a part begins, its name stands before it.
 * @param {Piece} piece
 * @param {string} text
 */
function drawEvidence(piece, text) {
  const roles = piece.ranges.map((range) => range.key);
  const made = document.createDocumentFragment();
  for (const range of piece.ranges) {
    if (range.start === piece.start)
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
