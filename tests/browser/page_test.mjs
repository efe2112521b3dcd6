// The server's page in a real browser, at phone and desktop width: two texts are pasted, claims appear, a claim
// is opened and its evidence is marked.
//
//   node --test tests/browser/page_test.mjs
//
// VERIDIC       the program (`target/release/veridic`)
// CHROMIUM      the browser (`/usr/bin/chromium`)
// NODE_MODULES  the folder that holds playwright-core, if it is not found from here
// SCREENSHOTS   a folder for screenshots; none are taken without it

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';

const require = createRequire(
  process.env.NODE_MODULES ? path.join(process.env.NODE_MODULES, 'x.js') : import.meta.url,
);
const { chromium } = require('playwright-core');
const program = process.env.VERIDIC ?? 'target/release/veridic';
const screenshots = process.env.SCREENSHOTS;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const TOKEN = 'a-token-of-some-length';

const DOCUMENT =
  'The ferry between Aro and the mainland stops in May. The council voted for a bridge on Monday \u{1f309}.\n\n' +
  'The bridge will cost 40 million crowns. Captain Aksel Dam said that he would miss the crossing.';
const SUMMARY = 'The council voted for a bridge. The bridge will cost 90 million crowns. <b>Aksel Dam</b> is pleased.';

let browser;

/** Starts a server and returns its address. */
async function serve(...more) {
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--quiet', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { url: line.replace('listening on ', ''), child };
}

async function open(url, { size = DESKTOP, scheme = 'light', expected = [] } = {}) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    deviceScaleFactor: size === PHONE ? 2 : 1,
    hasTouch: size === PHONE,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (!expected.some((part) => message.text().includes(part))) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  const close = async () => {
    await context.close();
    assert.deepEqual(problems, []);
  };
  return { page, close };
}

async function shoot(page, name) {
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

const textOf = (page, selector) =>
  page
    .locator(selector)
    .allTextContents()
    .then((texts) => texts.join(''));

async function check(page, text, summary) {
  await page.fill('#document', text);
  await page.fill('#summary', summary);
  await page.click('text=Check the summary');
  await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Done'));
}

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});

after(() => browser.close());

describe('the page', () => {
  let server;
  before(async () => {
    server = await serve();
  });
  after(() => server.child.kill());

  for (const size of [DESKTOP, PHONE]) {
    for (const scheme of ['light', 'dark']) {
      const name = `${size === PHONE ? 'phone' : 'desktop'}-${scheme}`;

      it(`shows claims and their evidence: ${name}`, async () => {
        const { page, close } = await open(server.url, { size, scheme });
        await shoot(page, `page-form-${name}`);
        await page.click('text=Use an example');
        const [text, summary] = [await page.inputValue('#document'), await page.inputValue('#summary')];
        await check(page, text, summary);
        assert.ok((await page.locator('.claim').count()) >= 3);
        assert.equal(await page.locator('[data-verdict="pending"]').count(), 0);
        await page.locator('.claim-head', { hasText: '2.4 million' }).click();
        const marked = page.locator('mark[data-roles~="evidence"]');
        assert.match((await marked.allTextContents()).join(''), /Repairs would cost 4\.2 million euros/);
        assert.ok(await marked.first().isVisible());
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.ok(!wide, 'the page is wider than the window');
        await shoot(page, `page-result-${name}`);
        await close();
      });
    }
  }

  it('marks spans by characters and shows markup as text', async () => {
    const { page, close } = await open(server.url);
    await check(page, DOCUMENT, SUMMARY);
    const claims = await page.locator('.claim-text').allTextContents();
    assert.equal(claims[0], 'The council voted for a bridge.');
    await page.locator('.claim-head').nth(1).click();
    const marked = (await page.locator('mark[data-roles~="counter"]').allTextContents()).join('');
    // After a character of two UTF-16 units: an offset in units would be off by one.
    assert.equal(marked, 'The bridge will cost 40 million crowns.');
    assert.equal(await page.locator('.summary-text b').count(), 0);
    await close();
  });

  it('names the model and notes what it cannot read', async () => {
    const { page, close } = await open(server.url);
    assert.match(await page.innerText('#judged-by'), /judged by the model base/i);
    await check(page, DOCUMENT, '\u5de5\u7a0b\u4e8e\u5341\u6708\u5f00\u59cb\u3002');
    const notes = await page.locator('.pair-note').allTextContents();
    assert.equal(notes.length, 2);
    assert.match(notes[0], /judged by the model base/i);
    assert.match(notes[1], /the summary is in Chinese/);
    assert.match(await page.innerText('.pair-verdict'), /unsupported.*reason: language, 0 of 1 claim supported/s);
    assert.match(await page.innerText('.claim-explanation'), /^Not judged: a text is in a language/);
    await close();
  });

  it('can be used by keyboard alone', async () => {
    const { page, close } = await open(server.url);
    await page.keyboard.press('Tab');
    await page.keyboard.type(DOCUMENT);
    // Past the button that opens a file.
    for (let tabs = 0; tabs < 2; tabs += 1) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'summary');
    await page.keyboard.type(SUMMARY);
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Done'));
    assert.equal(await page.evaluate(() => document.activeElement.id), 'edit');
    await page.keyboard.press('Enter');
    assert.equal(await page.inputValue('#summary'), SUMMARY);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'summary');
    await close();
  });

  it('shows what is missing and the errors of the server', async () => {
    const { page, close } = await open(server.url, { expected: ['422'] });
    await page.click('text=Check the summary');
    assert.equal(await page.textContent('#error'), 'The document is empty.');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'document');
    await page.fill('#document', DOCUMENT);
    await page.fill('#summary', '...');
    await page.click('text=Check the summary');
    await page.waitForFunction(() => document.getElementById('error').textContent.includes('no word'));
    assert.equal(await page.getAttribute('#summary', 'aria-invalid'), 'true');
    await close();
  });

  it('shows corrections as they are decided, and copies the corrected summary', async () => {
    const { page, close } = await open(server.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const [text, summary] = ['It will cost 40 million \u{1f309} crowns.', 'It \u{1f309} will cost 90 million crowns.\n'];
    const claim = { text: summary.trim(), summary_spans: [[0, 33]] };
    const judged = {
      ...claim,
      score: 0.1,
      verdict: 'contradicted',
      probabilities: { entailment: 0.1, neutral: 0.2, contradiction: 0.7 },
      level: 'sentence',
      evidence: { text, span: [0, 33], spans: [[0, 33]] },
      substitution: null,
      counter_evidence: null,
      instead: {
        kind: 'quantity',
        span: [15, 25],
        text: '90 million',
        document: '40 million',
        document_span: [13, 23],
        summary_span: [15, 25],
        gain: 0.8,
      },
    };
    const ledger = { sentences: 1, premises: 2, premises_skipped: 3, premises_screened: 4 };
    const profile = { screen: { method: 'mini+words', sentences: 8, windows: 4, runs: 1 } };
    const events = [
      ['claims', { claims: [claim] }],
      ['claim', { index: 0, claim: judged }],
      ['result', { schema: 1, score: 0.1, verdict: 'contradicted', claims: [judged], ledger, profile }],
    ];
    const body = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    await page.route('**/v1/score/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await check(page, text, summary);
    await page.click('.claim-head');
    assert.equal(await page.textContent('mark[data-roles~="instead"]'), '40 million');
    await page.click('.accept');
    await shoot(page, 'page-correction-desktop-light');
    await page.click('text=Copy corrected summary');
    await page.waitForSelector('.corrections :text("Copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, summary.replace('90', '40'));
    assert.equal(
      await page.textContent('.computed'),
      '1 document sentence, 2 premises compared, 7 left out (4 by the screen mini+words:8)',
    );
    await close();
  });

  it('reads a meeting: headings are no claims, and evidence has a speaker', async () => {
    const { page, close } = await open(server.url);
    const talk = '[00:12] Amira: The council voted for a bridge.\n[00:20] Ben: It will cost 40 million crowns.\n[00:31] Amira: We meet again in May.\n';
    await check(page, talk, '# Meeting summary\n\n- The council voted for a bridge.\n- The bridge will cost 90 million crowns.\n\nI hope this helps!');
    assert.match(await textOf(page, '.pair-counts'), /of 2 claims supported$/);
    assert.match(await textOf(page, '#status'), /of 2 claims supported\.$/);
    assert.deepEqual(await page.locator('.not-claim').allTextContents(), [
      '# Meeting summary (not a claim)',
      'I hope this helps! (not a claim)',
    ]);
    assert.equal(await page.locator('.claim-explanation').first().textContent(), 'Supported by turn 1 (Amira, 00:12).');
    await page.locator('.claim-head').first().click();
    assert.equal(await textOf(page, '.is-open .said'), 'Amira, 00:12');
    assert.match(await textOf(page, '.pair-limits'), /^Supported from 0\.5, contradicted above 0\.7\./);
    await shoot(page, 'page-meeting-desktop-light');
    await close();
  });

  it('takes from the result what changes after the last claim is judged', async () => {
    const { page, close } = await open(server.url);
    const [text, summary] = ['Ann leads it. Bo pays.', '# It\nAnn leads it and Bo pays.'];
    const part = (judged) => ({ text: 'Ann leads it and Bo pays.', summary_spans: [[5, 30]], ...judged });
    const judged = (score, verdict) => ({
      ...part({ score, verdict, explanation: `${verdict}.` }),
      probabilities: { entailment: score, neutral: 1 - score, contradiction: 0 },
      level: 'window',
      evidence: { text, span: [0, 22], spans: [[0, 13], [14, 22]] },
      substitution: null,
      counter_evidence: null,
    });
    const other = { text: '# It', summary_spans: [[0, 4]], reason: 'not a claim' };
    const claims = [{ ...other, score: null, verdict: null }, judged(0.9, 'supported')];
    const limits = { scale: 'probability', supported: 0.5, contradicted: 0.7, shared_words: 3 };
    const events = [
      ['claims', { claims: [other, part({})] }],
      ['claim', { index: 1, claim: judged(0.2, 'unsupported') }],
      ['result', { schema: 1, score: 0.9, verdict: 'supported', limits, claims, ledger: {}, profile: {} }],
    ];
    const body = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    await page.route('**/v1/score/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await check(page, text, summary);
    assert.equal(await textOf(page, '.claim-verdict'), 'supported');
    assert.equal(await textOf(page, '.claim-explanation'), 'supported.');
    assert.equal(await textOf(page, '#status'), 'Done. supported, 1 of 1 claim supported.');
    await close();
  });

  for (const size of [DESKTOP, PHONE]) {
    const name = size === PHONE ? 'phone-dark' : 'desktop-light';

    it(`takes several sources, shows which one says it and checks citations: ${name}`, async () => {
      const { page, close } = await open(server.url, { size, scheme: size === PHONE ? 'dark' : 'light' });
      await page.click('text=Add a source');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'source-2');
      await page.click('text=Add a source');
      assert.deepEqual(await page.locator('#sources label').allTextContents(), ['Source 1', 'Source 2', 'Source 3']);
      await page.fill('#document', 'The ferry \u{1f309} stops in May.');
      await page.fill('#source-2', 'to be removed');
      await page.fill('#source-3', 'The bridge will cost 40 million crowns.');
      await page.locator('.remove-source').first().click();
      assert.equal(await page.inputValue('#source-2'), 'The bridge will cost 40 million crowns.');
      await page.fill('#summary', 'The ferry stops in May [1]. The bridge will cost 40 million crowns [1].');
      await page.check('#citations');
      await shoot(page, `page-sources-form-${name}`);
      await page.click('text=Check the summary');
      await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Done'));
      assert.deepEqual(await page.locator('.source-title').allTextContents(), ['Source 1', 'Source 2']);
      await page.locator('.claim-head').nth(1).click();
      assert.match(await page.locator('.is-open .premise-note').first().textContent(), /in source 2$/);
      assert.match(await page.locator('.is-open .citation').textContent(), /^\[1\] source 1 does not support it \(.*\)$/);
      assert.match(await textOf(page, '.is-open .claim-explanation'), /Wrong citation: source 1 does not say it, source 2 does\.$/);
      assert.equal(await textOf(page, '.pair-verdict .wrong-citation'), '\u2717 1 wrong citation');
      const marked = page.locator('mark[data-roles~="evidence"]');
      assert.equal((await marked.allTextContents()).join(''), 'The bridge will cost 40 million crowns.');
      await shoot(page, `page-sources-result-${name}`);
      await page.click('#edit');
      await page.locator('.remove-source').first().click();
      assert.equal(await page.textContent('#document-label'), 'Document');
      assert.ok(await page.isHidden('#citations-field'));
      await close();
    });
  }

  it('names the source that is empty', async () => {
    const { page, close } = await open(server.url);
    await page.fill('#document', DOCUMENT);
    await page.fill('#summary', SUMMARY);
    await page.click('text=Add a source');
    await page.click('text=Check the summary');
    assert.equal(await page.textContent('#error'), 'Source 2 is empty.');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'source-2');
    assert.equal(await page.getAttribute('#source-2', 'aria-invalid'), 'true');
    await close();
  });

  it('saves the result that it shows', async () => {
    const { page, close } = await open(server.url);
    await page.click('text=Use an example');
    await page.click('text=Check the summary');
    await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Done'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    assert.equal(download.suggestedFilename(), 'veridic.json');
    await close();
  });
});

it('asks for the token of a server that requires one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'veridic-page-'));
  writeFileSync(path.join(folder, 'token'), TOKEN);
  const server = await serve('--token-file', path.join(folder, 'token'));
  try {
    const { page, close } = await open(server.url, { expected: ['401'] });
    await page.click('text=Use an example');
    await page.click('text=Check the summary');
    await page.waitForSelector('#token-field:not([hidden])');
    assert.match(await page.textContent('#error'), /token/);
    await page.fill('#token', TOKEN);
    await page.click('text=Check the summary');
    await page.waitForFunction(() => document.getElementById('status').textContent.startsWith('Done'));
    await close();
  } finally {
    server.child.kill();
    rmSync(folder, { recursive: true });
  }
});

it('shows an error when the server cannot be reached', async () => {
  const server = await serve();
  const { page, close } = await open(server.url, { expected: ['ERR_'] });
  server.child.kill('SIGKILL');
  await once(server.child, 'exit');
  await page.click('text=Use an example');
  await page.click('text=Check the summary');
  await page.waitForFunction(() => document.getElementById('error').textContent.includes('cannot be reached'));
  await close();
});
