'use strict';
// The figures over all rows as SVG, each with its numbers as text or in a table.

/**
 * @typedef {object} CalibrationBin
 * @property {number} score
 * @property {number} rows
 * @property {number} consistent
 * @property {[number, number]} interval
 */

/**
 * @typedef {object} Figures
 * @property {number} mean
 * @property {[number, number]} range
 * @property {boolean} are_probabilities
 * @property {[number, number, number, number][]} bars for each verdict
 * @property {{rows: number, consistent: number, roc_auc: number | null, roc: [number, number][], calibration: CalibrationBin[], abstention: {area: number, curve: [number, number][]} | null} | null} labelled
 */

const PLOT_SIZE = { width: 340, height: 196, bottom: 40 };

/** The better ones first. @type {Verdict[]} */
const VERDICTS = ['supported', 'unsure', 'unsupported', 'contradicted'];

/**
 * The verdicts that a report shows: `unsure` only if there are such rows.
 * @param {(verdict: Verdict) => number} total
 */
function shownVerdicts(total) {
  return VERDICTS.filter((verdict) => verdict !== 'unsure' || total(verdict) > 0);
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svgElement(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A drawing area with two scales. */
class Plot {
  /**
   * @param {{width: number, height: number, left: number, bottom: number}} size
   * @param {[number, number]} xRange
   * @param {string} description for screen readers
   */
  constructor({ width, height, left, bottom }, xRange, description) {
    this.area = { left, right: width - 14, top: 10, bottom: height - bottom };
    this.xRange = xRange;
    this.svg = svgElement('svg', {
      viewBox: `0 0 ${width} ${height}`,
      class: 'plot',
      role: 'img',
      'aria-label': description,
    });
  }

  /** @param {number} value */
  x(value) {
    const [low, high] = this.xRange;
    return this.area.left + ((value - low) / (high - low)) * (this.area.right - this.area.left);
  }

  /** @param {number} share */
  y(share) {
    return this.area.bottom - share * (this.area.bottom - this.area.top);
  }

  /**
   * @param {string} className
   * @param {[number, number][]} points
   */
  line(className, points) {
    const path = points.map(
      ([x, y], index) => `${index ? 'L' : 'M'}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`,
    );
    this.svg.append(svgElement('path', { class: className, d: path.join('') }));
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {'start' | 'middle' | 'end'} anchor
   */
  label(x, y, text, anchor) {
    this.svg.append(svgElement('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor }, text));
  }

  /**
   * @param {string} title
   * @param {number[]} ticks
   */
  xAxis(title, ticks) {
    const { left, right, bottom } = this.area;
    this.svg.append(svgElement('path', { class: 'axis', d: `M${left} ${bottom + 0.5}H${right}` }));
    for (const tick of ticks) this.label(this.x(tick), bottom + 15, shortNumber(tick), 'middle');
    this.label((left + right) / 2, bottom + 31, title, 'middle');
  }

  /**
   * @param {number[]} ticks
   */
  shareAxis(ticks) {
    for (const tick of ticks) {
      this.line('grid', [
        [this.xRange[0], tick],
        [this.xRange[1], tick],
      ]);
      this.label(this.area.left - 6, this.y(tick) + 4, `${Math.round(tick * 100)}%`, 'end');
    }
  }
}

/** @param {number} value */
function shortNumber(value) {
  return String(Math.round(value * 100) / 100).replace('-', '\u2212');
}

/** @param {[number, number]} range */
function ticksOf([low, high]) {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => low + share * (high - low));
}

/**
 * @param {string} title
 * @param {Plot} plot
 * @param {string} caption
 * @param {Node} table
 */
function figureBox(title, plot, caption, table) {
  return element(
    'figure',
    { class: 'figure' },
    element('h2', {}, title),
    plot.svg,
    element('figcaption', {}, caption),
    element('details', {}, element('summary', {}, 'The numbers'), element('div', { class: 'scroll' }, table)),
  );
}

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
function numberTable(head, rows) {
  const cells = (/** @type {string} */ name, /** @type {(string | number)[]} */ values) =>
    values.map((value) => element(name, name === 'th' ? { scope: 'col' } : {}, String(value)));
  const body = rows.map((row) => element('tr', {}, ...cells('td', row)));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...cells('th', head))),
    element('tbody', {}, ...body),
  );
}

/**
 * The distribution of scores: bars for each verdict, on one scale.
 * @param {Figures} figures
 */
function distributionFigure({ range, bars, mean }) {
  const place = (/** @type {Verdict} */ verdict) => VERDICTS.indexOf(verdict);
  const total = (/** @type {Verdict} */ verdict) => bars.reduce((sum, bar) => sum + bar[place(verdict)], 0);
  const verdicts = shownVerdicts(total);
  const counts = verdicts.map((verdict) => `${total(verdict)} ${verdict}`).join(', ');
  const plot = new Plot({ ...PLOT_SIZE, left: 14 }, range, `Distribution of scores: ${counts}`);
  const most = Math.max(1, ...bars.flat());
  const lane = (plot.area.bottom - plot.area.top) / verdicts.length;
  const width = (plot.area.right - plot.area.left) / bars.length;
  verdicts.forEach((verdict, index) => {
    const floor = plot.area.top + lane * (index + 1) - 4;
    plot.svg.append(
      svgElement('path', { class: 'grid', d: `M${plot.area.left} ${floor + 0.5}H${plot.area.right}` }),
    );
    bars.forEach((bar, step) => {
      const rows = bar[place(verdict)];
      if (rows === 0) return;
      const height = Math.max(1.5, (rows / most) * (lane - 20));
      const x = plot.area.left + step * width;
      const box = {
        x: (x + 0.5).toFixed(1),
        y: (floor - height).toFixed(1),
        width: (width - 1).toFixed(1),
        height: height.toFixed(1),
      };
      plot.svg.append(svgElement('rect', { class: `is-${verdict}`, ...box }));
    });
    plot.label(
      plot.area.left,
      floor - lane + 15,
      `${VERDICT_MARKS[verdict]} ${verdict} (${count(total(verdict))})`,
      'start',
    );
  });
  plot.xAxis('score', ticksOf(range));
  const step = (range[1] - range[0]) / bars.length;
  const edges = (/** @type {number} */ index) =>
    `${decimal(range[0] + step * index)} to ${decimal(range[0] + step * (index + 1))}`;
  const filled = bars
    .map((bar, index) => [edges(index), ...verdicts.map((verdict) => bar[place(verdict)])])
    .filter((row) => row.slice(1).some((value) => value !== 0));
  return figureBox(
    'Scores',
    plot,
    `Rows by score, mean ${decimal(mean)}. All bars share one scale.`,
    numberTable(['score', ...verdicts], filled),
  );
}

/**
 * How well scores rank consistent rows above others.
 * @param {NonNullable<Figures['labelled']>} labelled
 */
function rankingFigure({ roc, roc_auc: area, rows, consistent }) {
  const auc = area === null ? 'not defined with one label' : area.toFixed(3);
  const plot = new Plot({ ...PLOT_SIZE, left: 42 }, [0, 1], `ROC curve, area ${auc}`);
  plot.shareAxis([0, 0.5, 1]);
  plot.line('guide', [
    [0, 0],
    [1, 1],
  ]);
  plot.line('curve', roc);
  plot.xAxis('inconsistent rows at or above a score', []);
  [0, 0.5, 1].forEach((tick) => plot.label(plot.x(tick), plot.area.bottom + 15, `${tick * 100}%`, 'middle'));
  const every = Math.max(1, Math.ceil(roc.length / 40));
  const shown = roc.filter((_, place) => place % every === 0 || place === roc.length - 1);
  const table = numberTable(
    ['inconsistent found', 'consistent found'],
    shown.map((point) => point.map((share) => `${(share * 100).toFixed(1)}%`)),
  );
  const caption = `Area ${auc}. Of ${count(rows)} labelled rows ${count(consistent)} are consistent; the height is the share of them found.`;
  return figureBox('Ranking (ROC)', plot, caption, table);
}

/**
 * The share of rows that people call consistent, by score.
 * @param {NonNullable<Figures['labelled']>} labelled
 * @param {Figures} figures
 */
function calibrationFigure({ calibration }, { range, are_probabilities: areProbabilities }) {
  const plot = new Plot({ ...PLOT_SIZE, left: 42 }, range, 'Share of consistent rows by score');
  plot.shareAxis([0, 0.5, 1]);
  // Only a probability can be compared with a share.
  if (areProbabilities) {
    plot.line('guide', [
      [0, 0],
      [1, 1],
    ]);
  }
  plot.line(
    'curve',
    calibration.map((bin) => [bin.score, bin.consistent / bin.rows]),
  );
  for (const bin of calibration) {
    plot.line(
      'interval',
      bin.interval.map((share) => [bin.score, share]),
    );
    const place = {
      cx: plot.x(bin.score).toFixed(1),
      cy: plot.y(bin.consistent / bin.rows).toFixed(1),
      r: 3.5,
    };
    plot.svg.append(svgElement('circle', { class: 'dot', ...place }));
  }
  plot.xAxis('score', ticksOf(range));
  const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(0)}%`;
  const rows = calibration.map((bin) => [
    decimal(bin.score),
    bin.rows,
    percent(bin.consistent / bin.rows),
    bin.interval.map(percent).join(' to '),
  ]);
  const caption = `Share of consistent rows by score, with 95% intervals. ${
    areProbabilities
      ? 'On the dashed line, scores equal the shares.'
      : 'These scores are not probabilities, so they need not equal the shares.'
  }`;
  return figureBox(
    'Calibration',
    plot,
    caption,
    numberTable(['mean score', 'rows', 'consistent', '95% interval'], rows),
  );
}

/**
 * The share of wrong verdicts if only the surest rows are answered.
 * @param {NonNullable<NonNullable<Figures['labelled']>['abstention']>} abstention
 */
function abstentionFigure({ area, curve }) {
  const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)}%`;
  const plot = new Plot({ ...PLOT_SIZE, left: 42 }, [0, 1], `Wrong verdicts by rows answered, mean ${percent(area)}`);
  const all = curve[curve.length - 1][1];
  plot.shareAxis([0, 0.5, 1]);
  // If rows were answered in any order.
  plot.line('guide', [
    [0, all],
    [1, all],
  ]);
  plot.line('curve', curve);
  plot.xAxis('rows answered, the surest first', []);
  [0, 0.5, 1].forEach((tick) => plot.label(plot.x(tick), plot.area.bottom + 15, `${tick * 100}%`, 'middle'));
  const every = Math.max(1, Math.ceil(curve.length / 40));
  const shown = curve.filter((_, place) => place % every === 0 || place === curve.length - 1);
  const caption = `Share of wrong verdicts among the rows that are answered first, those with the score farthest from the limit of support. On average ${percent(area)}; of all rows ${percent(all)}.`;
  return figureBox('Abstention', plot, caption, numberTable(['answered', 'wrong'], shown.map((point) => point.map(percent))));
}

/**
 * All figures of a report.
 * @param {Figures} figures
 */
function drawFigures(figures) {
  const made = element(
    'section',
    { class: 'figures', 'aria-label': 'Figures', tabindex: '0' },
    distributionFigure(figures),
  );
  if (figures.labelled) {
    made.append(rankingFigure(figures.labelled), calibrationFigure(figures.labelled, figures));
    if (figures.labelled.abstention) made.append(abstentionFigure(figures.labelled.abstention));
  }
  return made;
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en');
}
