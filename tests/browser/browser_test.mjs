// The report in a real browser, at phone and desktop width, in both themes.
//
//   npm install playwright-core, a Chromium, and then: node --test tests/browser/browser_test.mjs
//
// VERIDIC         the program (`target/release/veridic`)
// CHROMIUM        the browser (`/usr/bin/chromium`)
// NODE_MODULES    the folder that holds playwright-core, if it is not found from here
// SCREENSHOTS     a folder for screenshots; none are taken without it

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TRAP, correctedRows, hostileRows, listedRows, longRows, manyRows, meetingRows, overlappingRows, shownRows, sourceRows } from './rows.mjs';

const require = createRequire(
  process.env.NODE_MODULES ? path.join(process.env.NODE_MODULES, 'x.js') : import.meta.url,
);
const { chromium } = require('playwright-core');
const command = [process.env.VERIDIC ?? 'target/release/veridic', 'report'];
const screenshots = process.env.SCREENSHOTS;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let browser;
let folder;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'veridic-report-'));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Makes a report of rows and returns its path. */
function reportOf(name, rows) {
  const [scores, source, out] = ['scores.jsonl', 'pairs.jsonl', 'report.html'].map((end) =>
    path.join(folder, `${name}-${end}`),
  );
  const files = [openSync(scores, 'w'), openSync(source, 'w')];
  for (const row of rows) {
    writeSync(files[0], `${JSON.stringify(row.scores)}\n`);
    writeSync(files[1], `${JSON.stringify(row.source)}\n`);
  }
  files.forEach(closeSync);
  const [program, ...first] = command;
  const made = spawnSync(program, [...first, scores, '-o', out, '--source', source, '--label', 'label'], {
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  return out;
}

/** Opens a page; its test fails on any console message, error, dialog or request. */
async function open(file, { size = DESKTOP, scheme = 'light', hash = '', still = true, scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    deviceScaleFactor: scale,
    hasTouch: size === PHONE,
    reducedMotion: still ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector('main:not([aria-busy])');
  const close = async () => {
    await context.close();
    assert.deepEqual(problems, []);
  };
  return { page, close };
}

/** Whether the first line of an element is visible and not covered. */
async function isVisible(page, selector) {
  return page.evaluate((wanted) => {
    const element = document.querySelector(wanted);
    const box = [...(element?.getClientRects() ?? [])].find((line) => line.width > 4);
    if (!box) return false;
    const found = document.elementFromPoint(box.left + Math.min(box.width / 2, 20), box.top + box.height / 2);
    return element.contains(found);
  }, selector);
}

/** Waits until an element is visible. */
async function waitUntilVisible(page, selector) {
  for (let tries = 0; tries < 40; tries += 1) {
    if (await isVisible(page, selector)) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`${selector} is not visible`);
}

const evidence = 'mark[data-roles~="evidence"]';
const counter = 'mark[data-roles~="counter"]';
const number = (claim) => `.summary-text [data-claim="${claim}"]`;
const textOf = (page, selector) =>
  page
    .locator(selector)
    .allTextContents()
    .then((texts) => texts.join(''));

async function shoot(page, name) {
  if (screenshots) await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

describe('a report', () => {
  let file;
  before(() => {
    file = reportOf('shown', shownRows());
  });

  for (const size of [DESKTOP, PHONE]) {
    for (const scheme of ['light', 'dark']) {
      const name = `${size === PHONE ? 'phone' : 'desktop'}-${scheme}`;

      it(`lists rows by risk and opens one: ${name}`, async () => {
        const { page, close } = await open(file, { size, scheme, scale: size === PHONE ? 2 : 1 });
        assert.deepEqual(await page.locator('.row-name').allTextContents(), [
          'ferry/long',
          'ferry/draft',
          'ferry/early',
          'ferry/short',
          'ferry/edited',
        ]);
        await page.click('text=ferry/draft');
        // Its details are unpacked first.
        await page.waitForSelector('.row-title');
        assert.equal(await textOf(page, '.row-title'), 'ferry/draft');
        await page.click(number(0));
        assert.equal(await textOf(page, evidence), shownRows()[0].scores.claims[0].evidence.text);
        await waitUntilVisible(page, evidence);
        await page.click(number(3));
        await waitUntilVisible(page, counter);
        assert.equal(await textOf(page, counter), 'The shipping company says that it knows of one report.');
        await waitUntilVisible(page, evidence);
        assert.equal(await textOf(page, '.unsupported-words'), 'denies');
        assert.match(await textOf(page, '.is-open .claim-explanation'), /^Contradicted by \u201cThe shipping company says/);
        await shoot(page, `report-claim-${name}`);
        await close();
      });
    }
  }

  it('lists many rows (for screenshots)', async () => {
    const listed = reportOf('brandsø', listedRows(240));
    for (const [size, scheme] of [
      [DESKTOP, 'light'],
      [DESKTOP, 'dark'],
      [PHONE, 'light'],
      [PHONE, 'dark'],
    ]) {
      const { page, close } = await open(listed, { size, scheme, scale: size === PHONE ? 2 : 1 });
      assert.match(await textOf(page, '.lead'), /^240 summaries/);
      await shoot(page, `report-list-${size === PHONE ? 'phone' : 'desktop'}-${scheme}`);
      await close();
    }
  });

  it('shows the evidence of each level', async () => {
    const { page, close } = await open(file, { hash: '#row-1' });
    await page.click(number(1));
    assert.match(await textOf(page, '.is-open .premise'), /several sentences/);
    assert.match(await textOf(page, evidence), /^The ferry between.*1987\.$/s);
    await page.click(number(2));
    assert.equal(await textOf(page, 'mark[data-roles~="mention"]'), 'He');
    assert.equal(await textOf(page, 'mark[data-roles~="name"]'), 'Captain Aksel Dam');
    assert.match(
      await textOf(page, '.is-open .is-name blockquote'),
      /^Captain Aksel Dam told the local paper/,
    );
    await page.click(number(4));
    assert.equal(await page.locator(evidence).count(), 0);
    assert.ok(await page.isVisible('.document-note'));
    assert.match(await textOf(page, '.is-open .probabilities'), /entailed0\.86neutral0\.05contradicted0\.09/);
    await close();
  });

  it('can be used by keyboard alone', async () => {
    const { page, close } = await open(file, { size: { width: 1280, height: 500 } });
    const press = async (key, until) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), until)) return;
      }
      assert.fail(`${key} never reaches ${until}`);
    };
    await press('Tab', 'a[href="#row-1"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair');
    await press('Tab', number(5));
    await page.keyboard.press('Enter');
    await waitUntilVisible(page, evidence);
    await press('Tab', '.is-open .jump.is-evidence');
    await page.keyboard.press('Enter');
    assert.ok(await page.evaluate((wanted) => document.activeElement?.matches(wanted), evidence));
    await page.keyboard.press('Escape');
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.is-open .claim-head')));
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('mark').count(), 0);
    await press('Shift+Tab', '.back');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.rows');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('href')), '#row-1');
    await close();
  });

  it('finds, filters and orders rows', async () => {
    const { page, close } = await open(file);
    const names = () => page.locator('.row-name').allTextContents();
    await page.fill('#query', 'MARIE holst');
    await page.waitForFunction(() => document.querySelector('.list-status')?.textContent === '1 of 5 rows');
    assert.deepEqual(await names(), ['ferry/edited']);
    await page.fill('#query', 'divers');
    await page.waitForFunction(() => document.querySelector('.list-status')?.textContent === '0 of 5 rows');
    await page.check('#in-documents');
    await page.waitForFunction(() => document.querySelector('.list-status')?.textContent === '5 rows');
    await page.fill('#query', '');
    await page.waitForTimeout(300);
    await page.uncheck('.verdicts input[value="contradicted"]');
    assert.deepEqual(await names(), ['ferry/early', 'ferry/short', 'ferry/edited']);
    await page.selectOption('#order', 'falling');
    assert.deepEqual(await names(), ['ferry/edited', 'ferry/short', 'ferry/early']);
    await page.selectOption('#label', 'inconsistent');
    assert.deepEqual(await names(), ['ferry/early']);
    await page.click('.row');
    await page.goBack();
    assert.deepEqual(await names(), ['ferry/early']);
    await close();
  });

  it('tells how often verdicts and labels agree', async () => {
    const { page, close } = await open(reportOf('labelled', listedRows(60)));
    assert.match(await textOf(page, '.agreement'), /60 rows compared: accuracy \d+\.\d%, balanced accuracy \d+\.\d%\./);
    const cells = await page.locator('.agreement td').allTextContents();
    assert.deepEqual([cells[0], cells[3]], ['supported', 'not supported']);
    const counts = [1, 2, 4, 5].map((place) => Number(cells[place]));
    assert.equal(counts.reduce((sum, count) => sum + count), 60);
    await page.selectOption('#label', 'missed');
    assert.equal(await page.locator('.row').count(), counts[1]);
    await shoot(page, 'report-agreement');
    await close();
  });

  it('lists the rows that could not be judged', async () => {
    const rows = shownRows();
    const error = { file: TRAP, line: 3, row: null, reason: 'field `summary` is empty' };
    rows.push({ scores: { schema: 1, id: TRAP, error, input: {} }, source: { id: TRAP } });
    const { page, close } = await open(reportOf('failed', rows));
    await page.click('text=1 row could not be judged');
    await page.waitForSelector('.failures dd');
    assert.equal(await textOf(page, '.failures dd'), `${TRAP}: line 3: field summary is empty`);
    assert.equal(await textOf(page, '.failures code'), 'summary');
    await close();
  });

  it('goes from claim to claim on a phone and back', async () => {
    const { page, close } = await open(file, { size: PHONE, hash: '#row-1', still: false });
    await page.click(number(0));
    await page.waitForTimeout(600);
    await waitUntilVisible(page, evidence);
    await page.click('.is-open .claim-steps :text("Next")');
    await page.click('.is-open .claim-steps :text("Next")');
    await page.waitForTimeout(600);
    await waitUntilVisible(page, 'mark[data-roles~="mention"]');
    await page.click('.is-open .claim-steps :text("Close")');
    await waitUntilVisible(page, number(2));
    assert.equal(await page.locator('mark').count(), 0);
    await close();
  });

  it('fits small windows', async () => {
    for (const hash of ['', '#row-1']) {
      const { page, close } = await open(file, { size: { width: 320, height: 480 }, hash });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await close();
    }
  });

  it('prints every claim with its evidence', async () => {
    const { page, close } = await open(file, { hash: '#row-1' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.claim-body:visible').count(), 6);
    assert.ok(await page.locator('.premise.is-counter blockquote').isVisible());
    const pdf = await page.pdf({ path: screenshots && path.join(screenshots, 'print.pdf') });
    assert.ok(pdf.length > 10_000);
    await close();
  });

  for (const scheme of ['light', 'dark']) {
    it(`has the contrast of WCAG AA: ${scheme}`, async () => {
      const { page, close } = await open(file, { scheme });
      const tones = ['supported', 'unsure', 'unsupported', 'contradicted', 'pending', 'evidence'];
      const pairs = [
        ...[
          'paper',
          'raised',
          'supported-tint',
          'unsure-tint',
          'unsupported-tint',
          'contradicted-tint',
          'evidence-tint',
        ].map((below) => ['ink', below]),
        ...['paper', 'raised'].flatMap((below) => ['soft', 'focus', ...tones].map((tone) => [tone, below])),
        ...tones.map((tone) => [tone, `${tone}-tint`]),
      ];
      const low = await page.evaluate((all) => {
        const style = getComputedStyle(document.documentElement);
        const light = (name) => {
          const digits = style.getPropertyValue(`--${name}`).trim().slice(1);
          const [r, g, b] = [0, 2, 4].map((at) => {
            const part = parseInt(digits.slice(at, at + 2), 16) / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = ([a, b]) =>
          (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return all
          .filter((one) => !(contrast(one) >= 4.5))
          .map((one) => `${one.join(' on ')}: ${contrast(one).toFixed(2)}`);
      }, pairs);
      assert.deepEqual(low, []);
      await close();
    });
  }

  it('shows an error when the file is incomplete', async () => {
    const cut = path.join(folder, 'cut.html');
    writeFileSync(
      cut,
      readFileSync(file, 'utf8').replace(/<script type="text\/plain" id="index">.*?<\/script>/s, ''),
    );
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`file://${cut}`);
    await page.waitForSelector('[role="alert"]');
    assert.match(await textOf(page, '[role="alert"]'), /incomplete/);
    await context.close();
  });
});

describe('text from outside', () => {
  it('stays text, in the list and in a row', async () => {
    const { page, close } = await open(reportOf('hostile', hostileRows()));
    assert.ok((await textOf(page, '.row-name')).includes(TRAP));
    await page.click('.row >> nth=0');
    await page.waitForSelector('.pair');
    await page.click('.row-page .about summary');
    assert.ok((await textOf(page, '.document-text')).includes(TRAP));
    assert.ok((await textOf(page, '.fields')).includes(TRAP));
    await page.click(number(1));
    assert.equal(await textOf(page, counter), 'Ann Lee \ud83e\udd80.');
    await page.click(number(0));
    assert.equal(await textOf(page, evidence), 'The \ud83e\udd80 ends here.');
    const names = await page
      .locator('.document-text .unseen')
      .evaluateAll((all) => all.map((one) => one.dataset.name));
    assert.deepEqual(names, ['LS', 'RLO', 'PDF', 'U+0000', 'U+0007']);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('main img, main svg [onload], main script').count(), 0);
    await close();
  });

  it('could not run as markup either', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`file://${reportOf('policy', hostileRows())}`);
    await page.waitForSelector('.rows');
    const attempts = await page.evaluate(() => {
      const script = document.createElement('script');
      let refused = 0;
      for (const attempt of [
        () => (script.textContent = 'window.hacked = 1'),
        () => (document.body.innerHTML = '<img src=x onerror="window.hacked=1">'),
        () => document.body.setAttribute('onclick', 'window.hacked = 1'),
      ]) {
        try {
          attempt();
        } catch {
          refused += 1;
        }
      }
      document.body.append(script);
      document.body.click();
      // Run later, as a script of the page and not of the test.
      setTimeout(() => {
        try {
          window.eval('window.hacked = 1');
        } catch {
          window.refusedLater = true;
        }
      });
      return { refused };
    });
    await page.waitForFunction(() => window.refusedLater);
    attempts.hacked = await page.evaluate(() => window.hacked);
    assert.equal(attempts.hacked, undefined);
    assert.ok(attempts.refused >= 3);
    await context.close();
  });
});

describe('claims that overlap', () => {
  it('are selected in turn by clicks on their common text', async () => {
    const { page, close } = await open(reportOf('overlap', overlappingRows()), { size: PHONE });
    const shared = '.covered[data-claims="0 1 2"]';
    const opened = () => page.locator('.is-open .claim-text').textContent();
    const chosen = [];
    for (let clicks = 0; clicks < 4; clicks += 1) {
      await page
        .locator(shared)
        .first()
        .evaluate((covered) => covered.click());
      chosen.push(await opened());
    }
    assert.deepEqual(chosen, [
      'Ida Rask is a teacher.',
      'Ida Rask is forty.',
      'Ida Rask is the new mayor.',
      'Ida Rask is a teacher.',
    ]);
    assert.equal(await textOf(page, 'mark[data-roles~="name"]'), 'Ida Rask');
    assert.ok(
      await page
        .locator(shared)
        .first()
        .evaluate((covered) => covered.classList.contains('is-unsupported')),
    );
    assert.equal(await page.locator('.summary-text .number').count(), 3);
    await close();
  });
});

describe('corrections', () => {
  it('are missing where the document has nothing in the place of what is wrong', async () => {
    const rows = shownRows().slice(0, 1);
    const { page, close } = await open(reportOf('uncorrected', rows));
    assert.match(await textOf(page, '.corrections-count'), /^Nothing was found in the document that belongs/);
    assert.ok(await page.locator('.corrections button').isHidden());
    await shoot(page, 'report-uncorrected');
    await close();
  });

  const rows = correctedRows();
  const { summary } = rows[0].source;
  const head = (claim) => `.claim:nth-child(${claim + 1}) .claim-head`;
  const button = (claim) => `.claim:nth-child(${claim + 1}) .accept`;
  /** The summary as it is shown, without the numbers of claims. */
  const shown = (page) =>
    page.evaluate(() => {
      const text = document.querySelector('.summary-text').cloneNode(true);
      text.querySelectorAll('.number').forEach((number) => number.remove());
      return text.textContent;
    });
  let file;
  before(() => {
    file = reportOf('corrected', rows);
  });

  for (const size of [DESKTOP, PHONE]) {
    for (const scheme of ['light', 'dark']) {
      const name = `${size === PHONE ? 'phone' : 'desktop'}-${scheme}`;

      it(`are shown at their claim and change the summary: ${name}`, async () => {
        const { page, close } = await open(file, { size, scheme, scale: size === PHONE ? 2 : 1 });
        await page.click(number(0));
        assert.equal(await textOf(page, '.is-open del'), '90 million crowns');
        assert.equal(await textOf(page, '.is-open ins'), '40 million crowns');
        assert.equal(await textOf(page, 'mark[data-roles~="instead"]'), '40 million crowns');
        assert.equal(await textOf(page, '.corrections-count'), '0 of 4 corrections accepted');
        assert.equal(await shown(page), summary);
        await waitUntilVisible(page, button(0));
        await shoot(page, `correction-${name}`);
        await page.click(button(0));
        assert.equal(await shown(page), summary.replace('90 million crowns', '40 million crowns'));
        assert.equal(await textOf(page, '.corrections-count'), '1 of 4 corrections accepted');
        assert.match(await textOf(page, button(0)), /^Undo/);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.ok(!wide, 'the page is wider than the window');
        await shoot(page, `correction-accepted-${name}`);
        await page.click(button(0));
        assert.equal(await shown(page), summary);
        await close();
      });
    }
  }

  it('are copied with the text around them as it was given', async () => {
    const { page, close } = await open(file);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const claim of [0, 2, 3]) {
      await page.click(number(claim));
      await page.click(button(claim));
    }
    await page.click('text=Copy corrected summary');
    await page.waitForSelector('.corrections :text("Copied")');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const expected = summary
      .replace('90 million', '40 million')
      .replace('8 May', '3 May')
      .replace('Aksel Dam hired Ida Rask', 'Ida Rask hired Aksel Dam');
    assert.equal(copied, expected);
    assert.equal(await shown(page), expected);
    await close();
  });

  it('are copied where the browser has no clipboard for the page', async () => {
    const { page, close } = await open(file);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click(number(2));
    await page.click(button(2));
    const copied = await page.evaluate(async () => {
      const read = () => clipboard.readText();
      const { clipboard } = navigator;
      await clipboard.writeText('before');
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('Copy')).click();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return read();
    });
    assert.equal(copied, summary.replace('8 May', '3 May'));
    await close();
  });

  it('that overlap replace each other', async () => {
    const { page, close } = await open(file);
    await page.click(number(0));
    await page.click(button(0));
    await page.click(number(1));
    assert.match(await textOf(page, button(1)), /^Accept/);
    await page.click(button(1));
    assert.equal(await shown(page), summary.replace('90 million', '40 million'));
    assert.match(await textOf(page, button(0)), /^Accept/);
    assert.equal(await textOf(page, '.corrections-count'), '1 of 4 corrections accepted');
    assert.equal(await page.locator('.summary-text .number').count(), 6);
    await close();
  });

  it('without a place in the summary cannot be accepted', async () => {
    const { page, close } = await open(file);
    await page.click(number(4));
    assert.equal(await textOf(page, '.is-open ins'), '600 people');
    assert.equal(await page.locator(button(4)).count(), 0);
    assert.match(await textOf(page, '.is-open .correction'), /its place in the summary is not certain/);
    await close();
  });

  it('are accepted by keyboard', async () => {
    const { page, close } = await open(file);
    await page.focus(head(2));
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 10; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.matches('.accept'))) break;
    }
    await page.keyboard.press('Enter');
    assert.equal(await shown(page), summary.replace('8 May', '3 May'));
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.accept')));
    assert.match(await textOf(page, '.pair > [role="status"]'), /1 of 4 corrections accepted/);
    await page.keyboard.press('Space');
    assert.equal(await shown(page), summary);
    await close();
  });

  it('come with what was computed and with the screen', async () => {
    const { page, close } = await open(file);
    assert.match(await textOf(page, '.computed'), /85 premises compared, 30 left out \(30 by the screen words:8\)/);
    await close();
  });
});

describe('large reports', () => {
  it('opens a document of a million characters', async (test) => {
    const rows = longRows();
    const { page, close } = await open(reportOf('long', rows));
    await page.waitForSelector('.pair');
    for (const [claim, role] of [
      [0, evidence],
      [1, counter],
      [0, evidence],
    ]) {
      const start = Date.now();
      await page.click(number(claim));
      await waitUntilVisible(page, role);
      test.diagnostic(
        `${rows[0].source.document.length} characters: claim ${claim + 1} is visible after ${Date.now() - start} ms`,
      );
    }
    await page.click(number(1));
    await page.click('.is-open .jump.is-evidence');
    await waitUntilVisible(page, evidence);
    assert.equal(await textOf(page, evidence), 'Nobody was hurt at the dam.');
    await close();
  });

  it('stays usable with 10,000 rows', async (test) => {
    const file = reportOf('many', manyRows(10_000));
    const start = Date.now();
    const { page, close } = await open(file);
    await page.waitForSelector('.rows li');
    const report = (what, since) => test.diagnostic(`${what}: ${Date.now() - since} ms`);
    report(`${(statSync(file).size / 1e6).toFixed(1)} MB, list is shown`, start);
    assert.equal(await page.locator('.rows li').count(), 100);
    for (const [query, inDocuments] of [
      ['harbour 4711', false],
      ['harbour 12', false],
      ['harbour 4711', true],
    ]) {
      const since = Date.now();
      await page.setChecked('#in-documents', inDocuments);
      await page.fill('#query', query);
      await page.waitForFunction(() =>
        / of 10,000 rows$/.test(document.querySelector('.list-status')?.textContent ?? ''),
      );
      report(`search for "${query}"${inDocuments ? ' in documents too' : ''}`, since);
      await page.fill('#query', '');
      await page.waitForFunction(() => document.querySelector('.list-status')?.textContent === '10,000 rows');
    }
    const since = Date.now();
    await page.click('.row >> nth=50');
    await page.waitForSelector('.pair');
    await page.click(number(0));
    await waitUntilVisible(page, evidence);
    report('a row and a claim are open', since);
    await page.goBack();
    await page.waitForSelector('.rows');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => document.querySelectorAll('.rows li').length >= 200);
    await close();
  });
});

describe('the view of the server page', () => {
  it('takes claims one by one, in any order', async () => {
    const file = reportOf('view', shownRows());
    for (const size of [DESKTOP, PHONE]) {
      const { page, close } = await open(file, { size });
      const [row] = shownRows();
      await page.evaluate(({ source, scores }) => {
        const main = document.querySelector('main');
        window.view = createView(main, source);
        scores.claims.forEach(({ text, summary_spans }, index) =>
          window.view.setClaim(index, { text, summary_spans }),
        );
        window.view.setClaim(3, scores.claims[3]);
        window.view.select(0);
      }, row);
      assert.equal(await textOf(page, '.pair-counts'), '1 of 6 claims judged, 0 supported');
      assert.match(await textOf(page, '.is-open .hint'), /not judged yet/);
      await page.evaluate(
        ({ scores }) => scores.claims.forEach((claim, index) => window.view.setClaim(index, claim)),
        row,
      );
      assert.equal(await textOf(page, evidence), row.scores.claims[0].evidence.text);
      await page.evaluate(({ scores }) => window.view.setVerdict(scores), row);
      assert.equal(await textOf(page, '.pair-counts'), '4 of 6 claims supported');
      await page.click(number(3));
      await waitUntilVisible(page, counter);
      await close();
    }
  });
});

describe('a report of sources', () => {
  let file;
  before(() => {
    file = reportOf('sources', sourceRows());
  });

  for (const size of [DESKTOP, PHONE]) {
    const name = size === PHONE ? 'phone-dark' : 'desktop-light';

    it(`shows sources apart and marks evidence in its source: ${name}`, async () => {
      const { page, close } = await open(file, { size, scheme: size === PHONE ? 'dark' : 'light', hash: '#row-1' });
      const titles = await page.locator('.source-title').allTextContents();
      assert.deepEqual(titles, ['Source doc-1', 'Source doc-2', 'Source doc-3', 'Source doc-4']);
      await page.locator('.claim-head').nth(1).click();
      assert.match(await page.locator('.is-open .premise-note').first().textContent(), /, in source doc-1$/);
      assert.deepEqual(await page.locator('.is-open .citation').allTextContents(), [
        '[doc-1] source doc-1 supports it (0.88)',
        '[doc-3] source doc-3 does not support it (0.12)',
      ]);
      await shoot(page, `report-sources-${name}`);
      await page.locator('.claim-head').nth(5).click();
      const [mark, before] = await page.evaluate((selector) => {
        const mark = document.querySelector(selector);
        const title = [...document.querySelectorAll('.source-title')].filter(
          (one) => one.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING,
        );
        return [mark.textContent, title.at(-1).textContent];
      }, evidence);
      assert.match(mark, /^The county will decide/);
      assert.equal(before, 'Source doc-4');
      // The whole text is there, with its characters in order.
      const shown = await page.locator('.document-text .block').allTextContents();
      assert.equal(shown.join('').replace(/closest evidence|evidence/g, ''), sourceRows()[0].source.document.map(({ text }) => text).join('\n\n'));
      await close();
    });
  }
});

describe('a report of wrong citations', () => {
  it('shows them before anything is opened', async () => {
    const { page, close } = await open(reportOf('citations', sourceRows()), { size: PHONE });
    const label = page.locator('.row', { hasText: 'ferry/draft' }).locator('.row-label');
    assert.equal(await label.textContent(), '\u2717 1 wrong citation, labelled inconsistent');
    await page.click('text=ferry/draft');
    await page.waitForSelector('.pair');
    assert.equal(await page.locator('.is-open').count(), 0);
    assert.equal(await textOf(page, '.pair-verdict .wrong-citation'), '\u2717 1 wrong citation');
    // A source beside one that supports the claim is no wrong citation; a source that does not exist is.
    assert.equal(await page.locator('.claim:nth-child(2) .wrong-citation').count(), 0);
    assert.equal(await textOf(page, '.claim:nth-child(3) .wrong-citation'), '\u2717 wrong citation');
    await close();
  });
});

describe('a report of a meeting', () => {
  let file;
  before(() => {
    file = reportOf('meeting', meetingRows());
  });

  for (const size of [DESKTOP, PHONE]) {
    for (const scheme of ['light', 'dark']) {
      const name = `${size === PHONE ? 'phone' : 'desktop'}-${scheme}`;

      it(`shows what is not a claim in grey and does not count it: ${name}`, async () => {
        const { page, close } = await open(file, { size, scheme, scale: size === PHONE ? 2 : 1 });
        assert.match(await textOf(page, '.pair-counts'), /^1 of 3 claims supported$/);
        assert.equal(await textOf(page, '.pane-title:has(+ .claims)'), 'Claims (3)');
        assert.deepEqual(await page.locator('.claims > li').evaluateAll((all) => all.map((one) => one.dataset.verdict)), [
          'none',
          'supported',
          'contradicted',
          'unsupported',
          'none',
        ]);
        assert.deepEqual(await page.locator('.claim-number').allTextContents(), ['1. ', '2. ', '3. ']);
        assert.deepEqual(await page.locator('.other-part').allTextContents(), [
          '# Meeting summarynot a claim',
          'I hope this helps!not a claim',
        ]);
        assert.equal(await page.locator('.other-part button, .not-claim button').count(), 0);
        assert.deepEqual(await page.locator('.not-claim').allTextContents(), [
          '# Meeting summary (not a claim)',
          'I hope this helps! (not a claim)',
        ]);
        const greys = await page.locator('.not-claim, .other-part, .other-reason').evaluateAll((all) => {
          const soft = document.createElement('i');
          soft.style.color = 'var(--soft)';
          document.body.append(soft);
          const grey = getComputedStyle(soft).color;
          soft.remove();
          return all.map((one) => getComputedStyle(one).color === grey);
        });
        // Its contrast with the page is tested above.
        assert.deepEqual(new Set(greys), new Set([true]));
        await page.locator('.other-part').first().click();
        assert.equal(await page.locator('.is-open .other-part').count(), 0);
        await shoot(page, `report-meeting-${name}`);
        await close();
      });
    }
  }

  it('goes from claim to claim past what is none', async () => {
    const { page, close } = await open(file, { size: PHONE });
    await page.click(number(1));
    const opened = [];
    for (const word of ['Next', 'Next', 'Next', 'Previous']) {
      await page.click(`.is-open .claim-steps :text("${word}")`);
      opened.push(await textOf(page, '.is-open .claim-number'));
    }
    assert.deepEqual(opened, ['2. ', '3. ', '1. ', '3. ']);
    await close();
  });

  it('tells each claim in a sentence without opening it', async () => {
    const { page, close } = await open(file, { size: PHONE });
    assert.equal(await page.locator('.is-open').count(), 0);
    const sentences = page.locator('.claim-explanation');
    assert.deepEqual(await sentences.allTextContents(), [
      'Supported by turn 2 (Amira, 00:12:31).',
      'Contradicted by turn 1 (Ben, 00:12:20).',
      'Not supported: no passage of the document says it.',
    ]);
    assert.ok(await sentences.first().isVisible());
    await close();
  });

  it('marks no word of a claim that the passage against it has', async () => {
    const { page, close } = await open(file);
    assert.deepEqual(await page.locator('.unsupported-words').allTextContents(), ['nothing']);
    assert.ok(!(await textOf(page, '.claims')).includes('Not in the evidence'));
    await close();
  });

  it('names who said the evidence, and quotes what was said without time stamps', async () => {
    const { page, close } = await open(file);
    await page.click(number(2));
    assert.deepEqual(await page.locator('.is-open .said').allTextContents(), ['Ben, 00:12:20', 'Ben, 00:12:20']);
    const quoted = 'Premium members pay 40 crowns, and the repairs cost 4.2 million.';
    assert.deepEqual(await page.locator('.is-open blockquote').allTextContents(), [quoted, quoted]);
    assert.match(await textOf(page, counter), /^Premium members.*00:12:25\.000 --> .*4\.2 million\.$/s);
    await page.click(number(3));
    assert.equal(await textOf(page, '.is-open .said'), 'from turn 1');
    await close();
  });

  it('shows on which side of the limits a score is, and the limits', async () => {
    const { page, close } = await open(file);
    assert.deepEqual(await page.locator('.claim .score').allTextContents(), ['0.50', '0.10', '0.4996']);
    assert.equal(
      await textOf(page, '.pair-limits'),
      'Supported from 0.5, contradicted above 0.7. Scores are at most 0.15 with a number that is nowhere in the document, ' +
        '0.15 with a date that is nowhere in it, 0.04 where it says something else.',
    );
    await close();
  });

  it('shows results of earlier versions without sentences and limits', async () => {
    const [row] = meetingRows();
    delete row.scores.limits;
    row.scores.claims = row.scores.claims.filter((one) => one.verdict);
    for (const one of row.scores.claims) {
      delete one.explanation;
      for (const quoted of [one.evidence, one.counter_evidence]) {
        if (!quoted) continue;
        ['turn', 'last_turn', 'speaker', 'time'].forEach((name) => delete quoted[name]);
        quoted.text = [...row.source.document].slice(...quoted.span).join('');
      }
    }
    const { page, close } = await open(reportOf('earlier', [row]));
    assert.deepEqual(await page.locator('.claim-verdict').allTextContents(), ['supported', 'contradicted', 'unsupported']);
    assert.equal(await page.locator('.claim-explanation, .pair-limits, .said').count(), 0);
    await page.click(number(1));
    assert.match(await textOf(page, counter), /^Premium members/);
    await close();
  });
});
