'use strict';
// The report: the list, and the row in the address.

/**
 * @typedef {object} Index
 * @property {string} name
 * @property {string | null} label
 * @property {{profile: any, models: any, limits: Limits | null}[]} settings
 * @property {string[]} judged_by one for each of the settings
 * @property {string[]} notes
 * @property {Agreement | null} agreement
 * @property {Rates} rates
 * @property {Row[]} rows
 * @property {{number: number, id: string | null, reason: string}[]} failed
 */

/**
 * @typedef {object} Detail
 * @property {Claim[]} claims
 * @property {any} ledger
 * @property {string[]} notes
 * @property {[string, string][]} input
 */

class Report {
  /**
   * @param {HTMLElement} root
   * @param {Index} index
   */
  constructor(root, index) {
    this.root = root;
    this.index = index;
    this.byNumber = new Map(index.rows.map((row) => [row.number, row]));
    this.listPage = element('div', { class: 'list-page' });
    this.rowPage = element('div', { class: 'row-page', hidden: true });
    this.opened = 0;
    this.scrolled = 0;
    /** @type {RowList | null} */
    this.list = null;
    root.replaceChildren(this.listPage, this.rowPage);
  }

  start() {
    if (this.index.rows.length === 1 && this.index.failed.length === 0) {
      void this.openRow(this.index.rows[0]);
    } else {
      const limitsOf = (/** @type {Row} */ row) => this.index.settings[row.settings].limits ?? undefined;
      this.list = new RowList(this.index.rows, this.index.label !== null, limitsOf);
      const rates = ratesSection(this.index.rates);
      this.listPage.append(this.head(), ...this.agreement(), ...this.failures(), rates, this.list.element, this.settings());
      addEventListener('hashchange', () => this.route());
      this.route();
    }
    this.root.removeAttribute('aria-busy');
  }

  /** Shows the row in the address, or the list. */
  route() {
    const number = /^#row-(\d+)$/.exec(location.hash);
    const row = number && this.byNumber.get(Number(number[1]));
    if (row) void this.openRow(row);
    else this.showList();
  }

  head() {
    const { rows, name } = this.index;
    const mean = rows.reduce((sum, row) => sum + row.score, 0) / rows.length;
    const summaries = rows.length === 1 ? 'summary' : 'summaries';
    const total = (/** @type {Verdict} */ verdict) => rows.filter((row) => row.verdict === verdict).length;
    const parts = shownVerdicts(total).map((verdict) => {
      return element(
        'span',
        { class: 'head-part' },
        element('strong', {}, count(total(verdict))),
        ' ',
        verdictBadge(verdict, true),
      );
    });
    return element(
      'header',
      { class: 'head' },
      element('p', { class: 'brand' }, 'Veridic report'),
      element('h1', {}, isolated(name)),
      element(
        'p',
        { class: 'lead' },
        element('span', { class: 'head-part' }, element('strong', {}, count(rows.length)), ` ${summaries}`),
        ...parts,
        element('span', { class: 'head-part' }, 'mean score ', element('strong', {}, decimal(mean))),
      ),
      ...this.notes(),
    );
  }

  /** The notes on all rows. */
  notes() {
    const notes = [...new Set(this.index.judged_by), ...this.index.notes];
    return notes.map((note) => element('p', { class: 'head-note' }, prose(note)));
  }

  /** How often verdicts and labels agree, if rows have labels. */
  agreement() {
    return this.index.agreement ? [agreementSection(this.index.agreement)] : [];
  }

  /** The rows that could not be judged, listed when opened. */
  failures() {
    const { failed } = this.index;
    if (failed.length === 0) return [];
    const title = element('summary', {}, `${counted(failed.length, 'row')} could not be judged`);
    const made = element('details', { class: 'about failures' }, title);
    const list = () => made.append(definitions(failed.map((row) => [rowName(row), row.reason]), prose));
    made.addEventListener('toggle', list, { once: true });
    return [made];
  }

  settings() {
    const many = this.index.settings.length > 1;
    const made = element(
      'details',
      { class: 'about' },
      element('summary', {}, many ? 'Settings (rows were judged under several)' : 'Settings'),
    );
    this.index.settings.forEach((settings, number) => {
      if (many) made.append(element('h2', {}, `Settings ${number + 1}`));
      made.append(settingsTable(settings));
    });
    return made;
  }

  showList() {
    if (!this.listPage.hidden) return;
    this.rowPage.hidden = true;
    this.rowPage.replaceChildren();
    this.listPage.hidden = false;
    this.root.classList.remove('is-row');
    document.title = `${cleanTitle(this.index.name)} - Veridic report`;
    scrollTo({ top: this.scrolled, behavior: 'instant' });
    const link = this.list?.items.querySelector(`a[href="#row-${this.opened}"]`);
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  }

  /** @param {Row} row */
  async openRow(row) {
    if (!this.listPage.hidden) this.scrolled = scrollY;
    this.opened = row.number;
    /** @type {[Detail, string]} */
    const [detail, text] = await Promise.all([valueAt(row.row), valueAt(row.document)]);
    // Another row or the list may have been opened meanwhile.
    if (this.opened !== row.number || (this.list && location.hash !== `#row-${row.number}`)) return;
    const place = element('div', { class: 'pair-place' });
    const title = element(
      'h1',
      { class: 'row-title', tabindex: '-1' },
      isolated(this.list ? rowName(row) : this.index.name),
    );
    this.rowPage.replaceChildren(this.bar(row, title), place);
    this.listPage.hidden = true;
    this.rowPage.hidden = false;
    this.root.classList.add('is-row');
    document.title = `${cleanTitle(rowName(row))} - ${cleanTitle(this.index.name)} - Veridic report`;
    const { profile, limits } = this.index.settings[row.settings];
    const view = renderResult(place, {
      document: text,
      summary: row.summary,
      result: { ...row, claims: detail.claims, ledger: detail.ledger, profile, limits },
      notes: [this.index.judged_by[row.settings], ...detail.notes],
    });
    view.summaryPane.append(this.about(row, detail));
    scrollTo({ top: 0, behavior: 'instant' });
    if (this.list) title.focus({ preventScroll: true });
    // In a wide window, open the most doubtful claim.
    if (matchMedia('(min-width: 53rem)').matches) view.select(mostDoubtful(detail.claims));
  }

  /**
   * @param {Row} row
   * @param {HTMLElement} title
   */
  bar(row, title) {
    const bar = element('header', { class: 'top-bar' });
    if (this.list) bar.append(element('a', { class: 'back', href: '#' }, '\u2190 All rows'));
    else bar.append(element('p', { class: 'brand' }, 'Veridic report'));
    bar.append(title);
    const shown = this.list?.shown ?? [];
    const place = shown.indexOf(row);
    if (place >= 0) {
      const step = (/** @type {string} */ word, /** @type {Row | undefined} */ next) =>
        next
          ? element('a', { href: `#row-${next.number}` }, word)
          : element('span', { 'aria-hidden': 'true' }, word);
      bar.append(
        element(
          'nav',
          { class: 'steps', 'aria-label': 'Rows' },
          step('Previous', shown[place - 1]),
          element('span', { class: 'steps-count' }, `${count(place + 1)} of ${count(shown.length)}`),
          step('Next', shown[place + 1]),
        ),
      );
    }
    return bar;
  }

  /**
   * @param {Row} row
   * @param {Detail} detail
   */
  about(row, detail) {
    const fields = definitions(detail.input);
    const made = element('details', { class: 'about' }, element('summary', {}, 'Fields and settings'));
    if (row.label !== null) made.append(definitions([['label', row.label ? 'consistent' : 'inconsistent']]));
    if (detail.input.length > 0) made.append(element('h3', {}, 'Fields of the row'), fields);
    made.append(element('h3', {}, 'What was computed'), definitions(flattened(detail.ledger)));
    made.append(element('h3', {}, 'Settings'), settingsTable(this.index.settings[row.settings]));
    return made;
  }
}

/**
 * The most doubtful claim: worse verdicts first, then lower scores.
 * @param {Claim[]} claims
 */
function mostDoubtful(claims) {
  const risk = (/** @type {Claim} */ claim) =>
    !isClaim(claim) ? -Infinity : VERDICTS.indexOf(claim.verdict ?? 'supported') * 10 - (claim.score ?? 0);
  return claims.reduce((best, claim, index) => (risk(claim) > risk(claims[best]) ? index : best), 0);
}

/** @param {any} settings */
function settingsTable(settings) {
  return definitions([...flattened(settings.profile), ...flattened(settings.models, 'model of ')]);
}

/**
 * The values of an object as pairs of name and text.
 * @param {any} value
 * @param {string} [prefix]
 * @returns {[string, string][]}
 */
function flattened(value, prefix = '') {
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const name = (prefix + key).replaceAll('_', ' ');
    if (inner !== null && typeof inner === 'object' && !Array.isArray(inner))
      return flattened(inner, `${prefix}${key} `);
    const named = (/** @type {any} */ item) => item?.id ?? item;
    const text = Array.isArray(inner) ? inner.map(named).join(', ') : String(inner ?? 'none');
    return /** @type {[string, string][]} */ ([[name, text]]);
  });
}

/**
 * @param {[string, string][]} pairs
 * @param {(text: string) => HTMLElement} [shown] how their texts are shown
 */
function definitions(pairs, shown = isolated) {
  const made = element('dl', { class: 'fields' });
  for (const [name, text] of pairs) {
    made.append(element('div', {}, element('dt', {}, isolated(name)), element('dd', {}, shown(text))));
  }
  return made;
}

/**
 * A text for the window's title, without invisible characters.
 * @param {string} text
 */
function cleanTitle(text) {
  return text.replace(UNSEEN, '\ufffd').slice(0, 120);
}

async function startReport() {
  const root = /** @type {HTMLElement} */ (document.getElementById('report'));
  try {
    new Report(root, await unpack('index')).start();
  } catch (error) {
    root.replaceChildren(
      element(
        'p',
        { class: 'notice', role: 'alert' },
        error instanceof Error ? error.message : String(error),
      ),
    );
  }
}

void startReport();
