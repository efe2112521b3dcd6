'use strict';
// The page: sends two texts to its server and shows the claims in the view as their events arrive.

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

/** An error that the server returned. */
class ServerError extends Error {
  /** @param {{message: string, code?: string, field?: string}} error */
  constructor({ message, code, field }) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/**
 * The events of a response, one after another.
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
 * The response to a request, unless it is an error.
 * @param {Promise<Response>} asked
 */
async function answered(asked) {
  const response = await asked;
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new ServerError(body?.error ?? { message: `The server answered ${response.status}.` });
}

/**
 * An element of the page.
 * @param {string} id
 * @returns {any}
 */
function part(id) {
  return document.getElementById(id);
}

/**
 * Lets people open a file in a box, or drop one on it.
 * @param {HTMLTextAreaElement} box
 * @param {(box: HTMLTextAreaElement, file: File) => void} open
 */
function acceptFiles(box, open) {
  const input = /** @type {HTMLInputElement} */ (element('input', { type: 'file', hidden: '' }));
  const button = element('button', { type: 'button', class: 'plain-button open-file', 'aria-controls': box.id }, 'Open a file');
  button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    if (input.files?.[0]) open(box, input.files[0]);
    input.value = '';
  });
  box.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  box.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    open(box, file);
  });
  box.after(button, input);
}

/**
 * The text of a file that says that it is plain text, and is; the server reads the others.
 * @param {File} file
 * @returns {Promise<string | null>}
 */
async function plainText(file) {
  if (file.type !== 'text/plain' && file.type !== 'text/markdown') return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** The boxes of the document: one text, or several sources. */
class SourceBoxes {
  /** @param {(box: HTMLTextAreaElement, file: File) => void} open */
  constructor(open) {
    this.open = open;
    this.place = part('sources');
    /** @type {HTMLTextAreaElement[]} */
    this.boxes = [part('document')];
    acceptFiles(this.boxes[0], open);
    part('add-source').addEventListener('click', () => this.add().focus());
  }

  /** Adds an empty box. */
  add() {
    const box = /** @type {HTMLTextAreaElement} */ (
      element('textarea', { name: 'source', spellcheck: 'false', 'aria-describedby': 'error' })
    );
    const label = element('label', {});
    const remove = element('button', { type: 'button', class: 'plain-button remove-source' }, 'Remove');
    const field = element('div', { class: 'field source' }, element('div', { class: 'source-head' }, label, remove), box);
    remove.addEventListener('click', () => this.remove(box));
    this.boxes.push(box);
    this.place.append(field);
    this.number();
    acceptFiles(box, this.open);
    return box;
  }

  /** @param {HTMLTextAreaElement} box */
  remove(box) {
    const index = this.boxes.indexOf(box);
    this.boxes.splice(index, 1);
    box.closest('.source')?.remove();
    this.number();
    this.boxes[index - 1].focus();
  }

  /** Keeps the first box alone. */
  removeOthers() {
    this.boxes.slice(1).forEach((box) => this.remove(box));
  }

  /** Names the boxes by their number, which is the source's id. */
  number() {
    const many = this.boxes.length > 1;
    this.boxes.forEach((box, index) => {
      if (index === 0) return;
      box.id = `source-${index + 1}`;
      const label = /** @type {HTMLLabelElement} */ (box.closest('.source')?.querySelector('label'));
      label.htmlFor = box.id;
      label.textContent = `Source ${index + 1}`;
      const words = element('span', { class: 'visually-hidden' }, ` source ${index + 1}`);
      box.closest('.source')?.querySelector('button')?.replaceChildren('Remove', words);
    });
    part('document-label').textContent = many ? 'Source 1' : 'Document';
    part('citations-field').hidden = !many;
  }

  /** The texts, and the box of the first one that is empty. */
  read() {
    const texts = this.boxes.map((box) => wellFormed(box.value));
    const empty = texts.findIndex((text) => text.trim() === '');
    return { texts, empty: empty < 0 ? null : this.boxes[empty] };
  }
}

/**
 * The document that the server makes of these texts, and the places of its sources in it, in characters.
 * @param {string[]} texts
 */
function joined(texts) {
  let start = 0;
  const sources = texts.map((text, index) => {
    const span = /** @type {[number, number]} */ ([start, start + Array.from(text).length]);
    start = span[1] + 2;
    return { id: String(index + 1), span };
  });
  return { document: texts.join('\n\n'), sources: texts.length > 1 ? sources : [] };
}

class Page {
  constructor() {
    const open = (/** @type {HTMLTextAreaElement} */ box, /** @type {File} */ file) => void this.open(box, file);
    this.sources = new SourceBoxes(open);
    acceptFiles(part('summary'), open);
    this.form = part('check-form');
    this.checked = part('checked');
    this.status = part('status');
    this.judgedBy = part('judged-by').textContent ?? '';
    part('judged-by').replaceChildren(prose(this.judgedBy));
    this.error = part('error');
    /** @type {AbortController | null} */
    this.request = null;
    /** @type {Result | null} */
    this.result = null;
    this.form.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.check();
    });
    this.form.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.check();
    });
    part('example').addEventListener('click', () => {
      this.sources.removeOthers();
      part('document').value = EXAMPLE.document;
      part('summary').value = EXAMPLE.summary;
      part('document').focus();
    });
    part('edit').addEventListener('click', () => this.edit());
    part('save').addEventListener('click', () => this.save());
  }

  /** Sends the texts and shows the result. */
  async check() {
    const { texts, empty } = this.sources.read();
    const summary = wellFormed(part('summary').value);
    this.showError('', null);
    if (empty) {
      const name = texts.length > 1 ? `Source ${this.sources.boxes.indexOf(empty) + 1}` : 'The document';
      return this.showError(`${name} is empty.`, empty.id);
    }
    if (summary.trim() === '') return this.showError('The summary is empty.', 'summary');
    const many = texts.length > 1;
    const asked = { document: many ? texts : texts[0], summary, ...(many && { citations: part('citations').checked }) };
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    try {
      const response = await this.send(asked, request.signal);
      await this.follow(response, { ...joined(texts), summary });
    } catch (error) {
      if (!request.signal.aborted) this.fail(error);
    }
    return undefined;
  }

  /**
   * Puts the text of a file in a box.
   * @param {HTMLTextAreaElement} box
   * @param {File} file
   */
  async open(box, file) {
    this.showError('', null);
    try {
      box.value = (await plainText(file)) ?? (await this.textOf(file));
      box.focus();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * The text of a file, as the server reads it.
   * @param {File} file
   * @returns {Promise<string>}
   */
  async textOf(file) {
    const headers = { ...this.credentials(), 'content-type': 'application/octet-stream' };
    const response = await answered(fetch('/v1/text', { method: 'POST', headers, body: file }));
    return (await response.json()).text;
  }

  /**
   * The header with the token, if there is one.
   * @returns {Record<string, string>}
   */
  credentials() {
    const token = part('token').value.trim();
    return token ? { authorization: `Bearer ${token}` } : {};
  }

  /**
   * @param {{document: string | string[], summary: string, citations?: boolean}} asked
   * @param {AbortSignal} signal
   */
  async send(asked, signal) {
    const headers = { ...this.credentials(), 'content-type': 'application/json', accept: 'text/event-stream' };
    part('page').setAttribute('aria-busy', 'true');
    return answered(fetch('/v1/score/events', { method: 'POST', headers, body: JSON.stringify(asked), signal }));
  }

  /**
   * Shows claims as they are found and decided.
   * @param {Response} response
   * @param {Texts} texts
   */
  async follow(response, texts) {
    this.result = null;
    this.form.hidden = true;
    this.checked.hidden = false;
    part('save').hidden = true;
    this.setStatus('Looking for claims\u2026');
    scrollTo({ top: 0, behavior: 'instant' });
    part('edit').focus({ preventScroll: true });
    const view = createView(part('view'), texts);
    view.addNote(this.judgedBy);
    for await (const { name, data } of eventsOf(response)) {
      if (name === 'claims') {
        data.claims.forEach((/** @type {Claim} */ claim, /** @type {number} */ index) => view.setClaim(index, claim));
      } else if (name === 'claim') {
        view.setClaim(data.index, data.claim);
      } else if (name === 'notes') {
        data.notes.forEach((/** @type {string} */ note) => view.addNote(note));
      } else if (name === 'result') {
        this.finish(view, data);
      } else if (name === 'error') {
        throw new ServerError(data.error);
      }
      const { judged, all } = view.counts();
      if (!this.result) this.setStatus(`${judged} of ${counted(all, 'claim')} judged\u2026`);
    }
    if (!this.result) throw new Error('The connection ended before all claims were judged.');
  }

  /**
   * @param {PairView} view
   * @param {Result} result
   */
  finish(view, result) {
    this.result = result;
    (result.claims ?? []).forEach((claim, index) => {
      // Citations, and what several sources say together, are known after all claims.
      if (JSON.stringify(claim) !== JSON.stringify(view.claims[index])) view.setClaim(index, claim);
    });
    if (result.verdict) view.setVerdict(result);
    const { all, supported } = view.counts();
    this.setStatus('Done.');
    // For screen readers: sighted people read it above the claims.
    const outcome = `${result.verdict}, ${supported} of ${counted(all, 'claim')} supported.`;
    if (result.verdict) this.status.append(element('span', { class: 'visually-hidden' }, ` ${outcome}`));
    part('save').hidden = false;
    part('page').removeAttribute('aria-busy');
  }

  /** Goes back to the form and cancels the request. */
  edit() {
    this.request?.abort();
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
    const text = error instanceof TypeError ? 'The server cannot be reached.' : sentence(message);
    if (error instanceof ServerError && error.code === 'unauthorized') part('token-field').hidden = false;
    if (!this.checked.hidden && !(error instanceof ServerError && error.field)) {
      this.setStatus(text, true);
      return;
    }
    this.checked.hidden = true;
    this.form.hidden = false;
    const field = error instanceof ServerError && error.code === 'unauthorized' ? 'token' : null;
    this.showError(text, field ?? (error instanceof ServerError ? (error.field ?? null) : null));
  }

  /**
   * @param {string} text
   * @param {string | null} field
   */
  showError(text, field) {
    this.error.replaceChildren(prose(text));
    for (const name of [...this.sources.boxes.map((box) => box.id), 'summary', 'token'])
      part(name).setAttribute('aria-invalid', String(name === field));
    if (field) part(field)?.focus();
  }

  /**
   * @param {string} text
   * @param {boolean} [isError]
   */
  setStatus(text, isError = false) {
    this.status.replaceChildren(prose(text));
    this.status.classList.toggle('is-error', isError);
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
 * Replaces unpaired surrogates, which are not valid in JSON.
 * @param {string} text
 */
function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

new Page();
