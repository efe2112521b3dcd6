'use strict';
// How often verdicts and people's labels agree.

/**
 * @typedef {object} Agreement
 * @property {LabelCounts} consistent the rows with this label
 * @property {LabelCounts} inconsistent
 * @property {string[]} sentences what the counts say
 */

/** @typedef {{supported: number, not_supported: number}} LabelCounts */

/** @param {Agreement} agreement */
function agreementSection({ consistent, inconsistent, sentences }) {
  const line = (/** @type {string} */ name, /** @type {keyof LabelCounts} */ key) => [
    name,
    count(consistent[key]),
    count(inconsistent[key]),
  ];
  const lines = [line('supported', 'supported'), line('not supported', 'not_supported')];
  const head = ['', 'labelled consistent', 'labelled inconsistent'];
  return element(
    'section',
    { class: 'rates agreement', 'aria-label': 'Agreement with the labels' },
    element('h2', {}, 'Agreement with the labels'),
    element('p', {}, sentences[0]),
    element('div', { class: 'scroll', tabindex: '0' }, numberTable(head, lines)),
    ...sentences.slice(1).map((sentence) => element('p', {}, sentence)),
  );
}
