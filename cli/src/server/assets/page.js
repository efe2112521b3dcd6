'use strict';
// The page: asks its server about two texts, and shows claims in the view as their events come.

const EXAMPLE = {
  document:
    'The town of Harwell will close its only swimming pool in March, the council said on Tuesday. ' +
    'Engineers who examined the building in October found rust in eleven of its fourteen steel beams.\n\n' +
    'Repairs would cost 4.2 million euros and take at least eighteen months, the report said. ' +
    'The pool opened in 1974 and is used by about 600 people a week. ' +
    'Mayor Lena Okafor said that the town would look for a partner to build a new one. ' +
    'She called the decision painful.',
  summary:
    'Harwell will close its swimming pool in March because its beams are rusty. ' +
    'Repairs would cost 2.4 million euros. Mayor Lena Okafor has resigned.',
};

/** What went wrong, as the server tells it. */
class Refusal extends Error {
  /** @param {{message: string, code?: string, field?: string}} told */
  constructor({ message, code, field }) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/**
 * The events of an answer, one after another.
 * @param {Response} response
 * @returns {AsyncGenerator<{name: string, data: any}>}
 */
async function* eventsOf(response) {
  const body = /** @type {ReadableStream<Uint8Array>} */ (response.body);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const field = (/** @type {string} */ name) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      yield { name: field('event'), data: JSON.parse(field('data')) };
    }
  }
}

/**
 * An element of the page.
 * @param {string} id
 * @returns {any}
 */
function part(id) {
  return document.getElementById(id);
}

class Page {
  constructor() {
    this.form = part('ask');
    this.checked = part('checked');
    this.told = part('told');
    this.trouble = part('trouble');
    /** @type {AbortController | null} */
    this.asking = null;
    /** @type {Result | null} */
    this.result = null;
    this.form.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.ask();
    });
    this.form.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.ask();
    });
    part('example').addEventListener('click', () => {
      part('document').value = EXAMPLE.document;
      part('summary').value = EXAMPLE.summary;
      part('document').focus();
    });
    part('edit').addEventListener('click', () => this.edit());
    part('save').addEventListener('click', () => this.save());
  }

  /** Sends the texts and shows what comes of them. */
  async ask() {
    const texts = { document: wellFormed(part('document').value), summary: wellFormed(part('summary').value) };
    this.complain('', null);
    for (const name of /** @type {('document' | 'summary')[]} */ (['document', 'summary'])) {
      if (texts[name].trim() === '') return this.complain(`The ${name} is empty.`, name);
    }
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const response = await this.send(texts, asking.signal);
      await this.follow(response, texts);
    } catch (error) {
      if (!asking.signal.aborted) this.fail(error);
    }
    return undefined;
  }

  /**
   * @param {{document: string, summary: string}} texts
   * @param {AbortSignal} signal
   */
  async send(texts, signal) {
    const token = part('token').value.trim();
    /** @type {Record<string, string>} */
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    if (token) headers.authorization = `Bearer ${token}`;
    part('page').setAttribute('aria-busy', 'true');
    const response = await fetch('/v1/score/events', {
      method: 'POST',
      headers,
      body: JSON.stringify(texts),
      signal,
    });
    if (!response.ok) {
      const told = await response.json().catch(() => null);
      throw new Refusal(told?.error ?? { message: `The server answered ${response.status}.` });
    }
    return response;
  }

  /**
   * Shows claims as they are found and decided.
   * @param {Response} response
   * @param {{document: string, summary: string}} texts
   */
  async follow(response, texts) {
    this.result = null;
    this.form.hidden = true;
    this.checked.hidden = false;
    part('save').hidden = true;
    this.tell('Looking for claims\u2026');
    scrollTo({ top: 0, behavior: 'instant' });
    part('edit').focus({ preventScroll: true });
    const view = createView(part('view'), texts);
    view.addNote(part('judged-by').textContent ?? '');
    let [found, decided] = [0, 0];
    for await (const { name, data } of eventsOf(response)) {
      if (name === 'claims') {
        found = data.claims.length;
        data.claims.forEach((/** @type {Claim} */ claim, /** @type {number} */ index) => view.setClaim(index, claim));
      } else if (name === 'claim') {
        decided += 1;
        view.setClaim(data.index, data.claim);
      } else if (name === 'notes') {
        data.notes.forEach((/** @type {string} */ note) => view.addNote(note));
      } else if (name === 'result') {
        this.finish(view, data);
      } else if (name === 'error') {
        throw new Refusal(data.error);
      }
      if (!this.result) this.tell(`${decided} of ${found} claims judged\u2026`);
    }
    if (!this.result) throw new Error('The server left before it had judged all claims.');
  }

  /**
   * @param {PairView} view
   * @param {Result} result
   */
  finish(view, result) {
    this.result = result;
    (result.claims ?? []).forEach((claim, index) => {
      if (!view.claims[index]?.verdict) view.setClaim(index, claim);
    });
    if (result.verdict) view.setVerdict(result);
    const supported = (result.claims ?? []).filter((claim) => claim.verdict === 'supported').length;
    this.tell('Done.');
    // The verdict above the claims says it to who sees it.
    const told = `${result.verdict}, ${supported} of ${result.claims?.length} claims supported.`;
    if (result.verdict) this.told.append(element('span', { class: 'unsighted' }, ` ${told}`));
    part('save').hidden = false;
    part('page').removeAttribute('aria-busy');
  }

  /** Goes back to the form; what the server still does for this page ends. */
  edit() {
    this.asking?.abort();
    this.checked.hidden = true;
    this.form.hidden = false;
    part('page').removeAttribute('aria-busy');
    part('summary').focus();
  }

  save() {
    const file = new Blob([JSON.stringify(this.result, null, 2)], { type: 'application/json' });
    const link = element('a', { href: URL.createObjectURL(file), download: 'veridic.json' });
    link.click();
    URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href);
  }

  /** @param {unknown} error */
  fail(error) {
    part('page').removeAttribute('aria-busy');
    const message = error instanceof Error ? error.message : String(error);
    const told = error instanceof TypeError ? 'The server cannot be reached.' : sentence(message);
    if (error instanceof Refusal && error.code === 'unauthorized') part('token-field').hidden = false;
    if (!this.checked.hidden && !(error instanceof Refusal && error.field)) {
      this.tell(told, true);
      return;
    }
    this.checked.hidden = true;
    this.form.hidden = false;
    const field = error instanceof Refusal && error.code === 'unauthorized' ? 'token' : null;
    this.complain(told, field ?? (error instanceof Refusal ? (error.field ?? null) : null));
  }

  /**
   * @param {string} told
   * @param {string | null} field
   */
  complain(told, field) {
    this.trouble.textContent = told;
    for (const name of ['document', 'summary', 'token'])
      part(name).setAttribute('aria-invalid', String(name === field));
    if (field) part(field)?.focus();
  }

  /**
   * @param {string} text
   * @param {boolean} [isTrouble]
   */
  tell(text, isTrouble = false) {
    this.told.textContent = text;
    this.told.classList.toggle('is-trouble', isTrouble);
  }
}

/**
 * A server's message as a sentence.
 * @param {string} message
 */
function sentence(message) {
  const end = /[.!?]$/.test(message) ? '' : '.';
  return message.charAt(0).toUpperCase() + message.slice(1) + end;
}

/**
 * Without halves of characters, which JSON cannot carry.
 * @param {string} text
 */
function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

new Page();
