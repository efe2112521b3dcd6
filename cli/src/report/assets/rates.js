'use strict';
// The shares of claims that are unsupported and contradicted, of all rows and by groups.

/**
 * @typedef {object} Rate
 * @property {number} share
 * @property {number} low
 * @property {number} high
 */

/**
 * @typedef {object} RowRates
 * @property {number} rows
 * @property {number} claims
 * @property {Rate | null} unsupported
 * @property {Rate | null} contradicted
 * @property {{rows: number, claims: number}} [no_answer] what gives no answer, outside the rates
 * @property {{share: number, rows: number}} [unjudged] the words of summaries without a verdict
 */

/** @typedef {RowRates & {group_by?: string, groups?: (RowRates & {group: string | null})[]}} Rates */

/** @param {Rates} rates */
function ratesSection(rates) {
  const percent = (/** @type {number} */ share) => (share * 100).toFixed(1);
  const shown = (/** @type {Rate | null} */ rate) =>
    rate ? `${percent(rate.share)} [${percent(rate.low)}, ${percent(rate.high)}]` : '-';
  const line = (/** @type {string} */ name, /** @type {RowRates} */ of) => [
    name.replace(UNSEEN, '\ufffd'),
    count(of.rows),
    count(of.claims),
    shown(of.unsupported),
    shown(of.contradicted),
  ];
  const groups = (rates.groups ?? []).map((of) => line(of.group ?? '(none)', of));
  const head = [rates.group_by ?? '', 'rows', 'claims', 'unsupported', 'contradicted'];
  return element(
    'section',
    { class: 'rates', 'aria-label': 'Rates of claims' },
    element('h2', {}, 'Rates of claims'),
    element('div', { class: 'scroll', tabindex: '0' }, numberTable(head, [...groups, line('all', rates)])),
    element('p', {}, 'Percent of claims, with 95% intervals that count claims of one row as dependent.'),
    ...(rates.no_answer
      ? [element('p', {}, `No answer, outside these rates: ${counted(rates.no_answer.claims, 'claim')}; ${counted(rates.no_answer.rows, 'row')} of nothing else.`)]
      : []),
    ...(rates.unjudged?.rows
      ? [element('p', {}, `Without a verdict: ${percent(rates.unjudged.share)}% of a summary's words on average; in ${counted(rates.unjudged.rows, 'row')}.`)]
      : []),
  );
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function numberTable(head, rows) {
  const cells = (/** @type {string} */ name, /** @type {string[]} */ values) =>
    values.map((value) => element(name, name === 'th' ? { scope: 'col' } : {}, value));
  const body = rows.map((row) => element('tr', {}, ...cells('td', row)));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...cells('th', head))),
    element('tbody', {}, ...body),
  );
}
