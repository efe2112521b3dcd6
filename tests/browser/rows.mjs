// Rows for the browser tests: judged pairs written by hand, with spans in characters.

/**
 * The span of the first occurrence of `part` in `text`, in Unicode characters.
 * @param {string} text
 * @param {string} part
 */
function span(text, part) {
  const unit = text.indexOf(part);
  if (unit < 0) throw new Error(`${part} is not in the text`);
  const start = [...text.slice(0, unit)].length;
  return [start, start + [...part].length];
}

/**
 * A claim about a document; `covers` are its parts of the summary. `said` is who says the evidence, and `words` what is said.
 * Without a score, it is a part of the summary that states nothing.
 */
function claim(
  document,
  summary,
  { text, covers, score, verdict, explanation, level = 'sentence', evidence, counter, said, words, mention, by, unsupported, instead },
) {
  const slice = (part) => ({ text: words ?? part, span: span(document, part), ...said });
  if (score === undefined)
    return { text, summary_spans: [span(summary, text)], score: null, verdict: null, reason: 'not a claim' };
  const left = 1 - Math.max(score, 0.05);
  return {
    text,
    summary_spans: covers.map((part) => span(summary, part)),
    score,
    verdict,
    ...(explanation && { explanation }),
    probabilities: { entailment: Math.max(score, 0.05), neutral: left / 3, contradiction: (left * 2) / 3 },
    level,
    evidence: slice(evidence),
    substitution: mention
      ? {
          mention,
          mention_span: span(document, mention),
          by,
          by_span: span(document, by),
          rewritten: evidence.replace(mention, by),
        }
      : null,
    counter_evidence: counter ? { ...slice(counter), contradiction: 0.77 } : null,
    ...(unsupported && {
      unsupported_words: unsupported.map((part) => ({ text: part, span: span(text, part), probability: 0.6 })),
    }),
    ...(instead && { instead: correction(document, summary, text, instead) }),
  };
}

/** What the document says in the place of `old`; `at` is where the summary has it, null for nowhere. */
function correction(document, summary, claim, { kind = 'quantity', old, said, from = said, at = old }) {
  return {
    kind,
    span: span(claim, old),
    text: old,
    document: said,
    document_span: span(document, from),
    summary_span: at && span(summary, at),
    gain: 0.4,
  };
}

/** A line of scores and its source line. */
export function pair({ id, document, summary, claims, label, limits, fields = {} }) {
  const parts = claims.map((one) => claim(document, summary, one));
  const judged = parts.filter((one) => one.verdict);
  const order = ['contradicted', 'unsupported', 'unsure', 'supported'];
  const scores = {
    schema: 1,
    id,
    score: judged.reduce((sum, one) => sum + one.score, 0) / judged.length,
    verdict: order.find((verdict) => judged.some((one) => one.verdict === verdict)),
    ...(limits && { limits }),
    claims: parts,
    ledger: { sentences: 10, premises: 85, premises_skipped: 0, premises_screened: 30, claims_from: 'sentences' },
    profile: {
      name: 'veridic',
      levels: ['sentence', 'window', 'document'],
      screen: { method: 'words', sentences: 8, windows: 4, runs: 1 },
      verdicts: { supported: 0.5, contradicted: 0.5 },
    },
    models: { nli: { id: 'mini', sha256: 'c0ffee', dtype: 'f32' }, claims: null, coref: null },
    input: { label, ...fields },
  };
  return { scores, source: { id, document, summary } };
}

/** The limits of the default profile. */
export const LIMITS = {
  scale: 'probability',
  supported: 0.5,
  contradicted: 0.7,
  shared_words: 3,
  quantity_nowhere: 0.15,
  date_nowhere: 0.15,
  instead: 0.04,
};

const ferry = `The ferry between Brandsø and the mainland will not run until the end of April, the island's council said on Friday. Divers found a crack of almost two metres in the hull of the only ship, the Marie Holst, which was built in 1987.

Captain Aksel Dam has sailed her for nineteen years. He told the local paper that he had reported water in the engine room twice before Christmas. The shipping company says that it knows of one report.

Until the ship is repaired, the islanders depend on a fishing boat that takes twelve passengers and no cars. The school has moved its lessons to the afternoon, since three of its five teachers live on the mainland. "We have been promised a second ship since 2009," said Ruth Berg, who runs the island's shop. "Now we buy milk by the sack."

The company expects the repair to cost 900,000 euros. The county will decide in May whether to pay a part of it.`;

const sentences = ferry.split(/(?<=\.) (?=["A-Z])|\n\n/);

/** The rows of the screenshots, with every level and verdict. */
export function shownRows() {
  const summary =
    'The ferry to Brandsø is out of service until the end of April because of a crack in its hull. Aksel Dam reported water in the engine room twice. The shipping company denies that it was told. Islanders now use a fishing boat for twelve passengers, and the county will pay for the repair.';
  const claims = [
    {
      text: 'The ferry to Brandsø is out of service until the end of April.',
      covers: ['The ferry to Brandsø is out of service until the end of April'],
      score: 0.93,
      verdict: 'supported',
      explanation: `Supported by \u201c${sentences[0]}\u201d.`,
      evidence: sentences[0],
    },
    {
      text: 'The ferry has a crack in its hull.',
      covers: ['The ferry to Brandsø', 'because of a crack in its hull.'],
      score: 0.88,
      verdict: 'supported',
      explanation: 'Supported by 2 sentences of the document together.',
      level: 'window',
      evidence: ferry.slice(0, ferry.indexOf('\n\nCaptain')),
    },
    {
      text: 'Aksel Dam reported water in the engine room twice.',
      covers: ['Aksel Dam reported water in the engine room twice.'],
      score: 0.91,
      verdict: 'supported',
      explanation: 'Supported by one sentence of the document.',
      level: 'coref',
      evidence: sentences.find((one) => one.startsWith('He told')),
      mention: 'He',
      by: 'Captain Aksel Dam',
    },
    {
      text: 'The shipping company denies that it was told.',
      covers: ['The shipping company denies that it was told.'],
      score: 0.09,
      verdict: 'contradicted',
      explanation: 'Contradicted by \u201cThe shipping company says that it knows of one report.\u201d.',
      level: 'window',
      evidence:
        'Captain Aksel Dam has sailed her for nineteen years. He told the local paper that he had reported water in the engine room twice before Christmas.',
      counter: 'The shipping company says that it knows of one report.',
      unsupported: ['denies', 'company'],
    },
    {
      text: 'Islanders now use a fishing boat for twelve passengers.',
      covers: ['Islanders now use a fishing boat for twelve passengers'],
      score: 0.86,
      verdict: 'supported',
      explanation: 'Supported by 10 sentences of the document together.',
      level: 'document',
      evidence: ferry,
    },
    {
      text: 'The county will pay for the repair.',
      covers: ['the county will pay for the repair.'],
      score: 0.22,
      verdict: 'unsupported',
      explanation: 'Not supported: no passage of the document says it.',
      evidence: sentences[sentences.length - 1],
    },
  ];
  const rows = [
    pair({ id: 'ferry/draft', document: ferry, summary, claims, label: 0, limits: LIMITS, fields: { system: 'draft' } }),
  ];
  const others = [
    [
      'ferry/edited',
      'The Marie Holst was built in 1987. The repair will cost 900,000 euros.',
      [1, 9],
      1,
      [0.94, 0.9],
    ],
    ['ferry/short', 'Ruth Berg runs the shop of the island.', [7], 1, [0.81]],
    ['ferry/long', 'The island has two ships. The school has five teachers.', [7, 6], 0, [-0.4, 0.71]],
    ['ferry/early', 'The county has decided to pay.', [10], 0, [0.35]],
  ];
  for (const [id, text, evidence, label, scores] of others) {
    const parts = text.split(/(?<=\.) /);
    const claims = parts.map((part, index) => ({
      text: part,
      covers: [part],
      score: scores[index],
      verdict: scores[index] >= 0.5 ? 'supported' : scores[index] < 0 ? 'contradicted' : 'unsupported',
      evidence: sentences[evidence[index]],
      counter: scores[index] < 0 ? sentences[evidence[index]] : undefined,
    }));
    rows.push(
      pair({ id, document: ferry, summary: text, claims, label, fields: { system: id.split('/')[1] } }),
    );
  }
  return rows;
}

/** Shown rows; the first one with its paragraphs as sources, and citations of its second and third claim. */
export function sourceRows() {
  const [row, other] = shownRows();
  const texts = ferry.split('\n\n');
  row.source.document = texts.map((text, index) => ({ id: `doc-${index + 1}`, text }));
  row.scores.ledger.sources = texts.map((text, index) => ({ id: `doc-${index + 1}`, span: span(ferry, text) }));
  row.scores.claims[1].citations = [
    { marker: '[doc-1]', span: [0, 1], source: 'doc-1', verdict: 'supports', score: 0.88 },
    { marker: '[doc-3]', span: [0, 1], source: 'doc-3', verdict: 'other_supports', score: 0.12, other: 'doc-1' },
  ];
  row.scores.claims[2].citations = [{ marker: '[doc-9]', span: [0, 1], source: 'doc-9', verdict: 'unknown_source' }];
  return [row, other];
}

/** A meeting as WebVTT, and a summary with what is not a claim, a score just below the limit and one at it. */
export function meetingRows() {
  const document = `WEBVTT

1
00:12:20.000 --> 00:12:25.000
<v Ben>Premium members pay 40 crowns,</v>

2
00:12:25.000 --> 00:12:31.000
<v Ben>and the repairs cost 4.2 million.</v>

3
00:12:31.000 --> 00:12:40.000
<v Amira>Then we close the pool in March \ud83c\udfca.</v>
`;
  const summary = `# Meeting summary

- The pool closes in March.
- Premium members pay nothing.
- The repairs take a year.

I hope this helps!`;
  const claims = [
    { text: '# Meeting summary' },
    {
      text: 'The pool closes in March.',
      covers: ['The pool closes in March.'],
      score: 0.5,
      verdict: 'supported',
      explanation: 'Supported by turn 2 (Amira, 00:12:31).',
      evidence: 'Then we close the pool in March \ud83c\udfca.',
      said: { turn: 2, speaker: 'Amira', time: '00:12:31' },
    },
    {
      text: 'Premium members pay nothing.',
      covers: ['Premium members pay nothing.'],
      score: 0.1,
      verdict: 'contradicted',
      explanation: 'Contradicted by turn 1 (Ben, 00:12:20).',
      evidence: document.slice(document.indexOf('Premium'), document.indexOf('million.') + 8),
      words: 'Premium members pay 40 crowns, and the repairs cost 4.2 million.',
      counter: document.slice(document.indexOf('Premium'), document.indexOf('million.') + 8),
      said: { turn: 1, speaker: 'Ben', time: '00:12:20' },
      unsupported: ['Premium', 'nothing'],
    },
    {
      text: 'The repairs take a year.',
      covers: ['The repairs take a year.'],
      score: 0.4996,
      verdict: 'unsupported',
      explanation: 'Not supported: no passage of the document says it.',
      evidence: 'Then we close the pool in March \ud83c\udfca.',
      said: { turn: 1, last_turn: 2 },
    },
    { text: 'I hope this helps!' },
  ];
  return [pair({ id: 'meeting', document, summary, claims, label: 0, limits: LIMITS })];
}

/** Claims with corrections: two of one number, one that overlaps them, exchanged names, and one without a place. */
export function correctedRows() {
  const document =
    'The bridge \ud83c\udf09 will cost 40 million crowns and opens on 3 May. Ida Rask hired Aksel Dam to sail the last ferry. The ferry carried 600 people a week.';
  const summary =
    'The bridge \ud83c\udf09 will cost 90 million crowns. It opens on 8 May & is long. Aksel Dam hired Ida Rask to sail the ferry.\n';
  const [bridge, hired, ferry] = document.split(/(?<=\.) /);
  const wrong = { score: -0.4, verdict: 'contradicted', evidence: bridge };
  const claims = [
    {
      ...wrong,
      text: 'The bridge \ud83c\udf09 will cost 90 million crowns.',
      covers: ['The bridge \ud83c\udf09 will cost 90 million crowns.'],
      counter: bridge,
      instead: { old: '90 million crowns', said: '40 million crowns' },
    },
    {
      ...wrong,
      text: 'The cost will be 90 million.',
      covers: ['will cost 90 million'],
      instead: { old: '90 million', said: '40 million' },
    },
    {
      ...wrong,
      text: 'It opens on 8 May.',
      covers: ['It opens on 8 May'],
      instead: { kind: 'date', old: '8 May', said: '3 May' },
    },
    {
      ...wrong,
      text: 'Aksel Dam hired Ida Rask.',
      covers: ['Aksel Dam hired Ida Rask'],
      evidence: hired,
      instead: {
        kind: 'roles',
        old: 'Aksel Dam hired Ida Rask',
        said: 'Ida Rask hired Aksel Dam',
        from: hired,
      },
    },
    {
      ...wrong,
      text: 'The ferry carried 900 people a week.',
      covers: ['the ferry.'],
      evidence: ferry,
      instead: { old: '900 people', said: '600 people', at: null },
    },
    {
      text: 'The bridge is long.',
      covers: ['is long'],
      score: 0.9,
      verdict: 'supported',
      explanation: 'Supported by one sentence. The judge accepts the opposite just as well: read the passage yourself.',
      evidence: bridge,
    },
  ];
  return [pair({ id: 'bridge', document, summary, claims, label: 0 })];
}

/** Statements about the ferry: text, index of the sentence that decides it, typical score. */
const STATEMENTS = [
  ['The ferry to Brandsø will not run until the end of April.', 0, 0.94],
  ['Divers found a crack in the hull of the Marie Holst.', 1, 0.9],
  ['The Marie Holst was built in 1987.', 1, 0.93],
  ['Captain Aksel Dam has sailed the ship for nineteen years.', 2, 0.88],
  ['Water in the engine room was reported twice before Christmas.', 3, 0.84],
  ['A fishing boat takes twelve passengers to the mainland.', 5, 0.82],
  ['Ruth Berg runs the shop of the island.', 7, 0.79],
  ['The repair is expected to cost 900,000 euros.', 9, 0.91],
  ['The ship was built in Brandsø.', 1, 0.31],
  ['Three teachers have left the school.', 6, 0.12],
  ['The islanders have been given a second ship.', 7, -0.46],
  ['The county has decided to pay for the repair.', 10, -0.22],
  ['The fishing boat takes three cars.', 5, -0.61],
];

/** Rows for screenshots: summaries of one document with varying scores and labels. */
export function listedRows(count) {
  let state = 3;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, (_, row) => {
    const length = 2 + Math.floor(random() * 3);
    const first = Math.floor(random() * 8);
    const chosen = Array.from({ length }, (_, step) => STATEMENTS[(first + step * 3) % 8]);
    if (random() < 0.45) chosen[Math.floor(random() * length)] = STATEMENTS[8 + Math.floor(random() * 5)];
    const claims = chosen.map(([text, sentence, typical]) => {
      const score = Math.max(-0.98, Math.min(0.99, typical + (random() + random() + random() - 1.5) * 0.35));
      const verdict = score >= 0.5 ? 'supported' : score < -0.1 ? 'contradicted' : 'unsupported';
      const evidence = sentences[sentence];
      return {
        text,
        covers: [text],
        score,
        verdict,
        evidence,
        counter: verdict === 'contradicted' ? evidence : undefined,
      };
    });
    const isTrue = chosen.every(([, , typical]) => typical > 0.5);
    const label = Number(random() < 0.06 ? !isTrue : isTrue);
    const summary = chosen.map(([text]) => text).join(' ');
    return pair({
      id: `brandsø-${String(row + 1).padStart(3, '0')}`,
      document: ferry,
      summary,
      claims,
      label,
    });
  });
}

export const TRAP = '</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>';

/** Rows whose every text tries to become markup or a script. */
export function hostileRows() {
  const document = `<b>Bold</b> ${TRAP}\u2028It was signed by \u202eevil\u202c Ann Lee \ud83e\udd80. &lt; is no sign.\u0000\u0007 The \ud83e\udd80 ends here.`;
  const summary = `Ann Lee signed it. ${TRAP} \u202enrut`;
  const claims = [
    {
      text: `Ann ${TRAP}`,
      covers: ['Ann Lee signed it.'],
      score: 0.7,
      verdict: 'supported',
      evidence: 'The \ud83e\udd80 ends here.',
    },
    {
      text: TRAP,
      covers: [TRAP],
      score: -0.2,
      verdict: 'contradicted',
      evidence: TRAP,
      counter: 'Ann Lee \ud83e\udd80.',
    },
  ];
  return [
    pair({
      id: TRAP,
      document,
      summary,
      claims,
      label: 1,
      fields: { [TRAP]: TRAP, constructor: '"><svg onload=window.hacked=1>' },
    }),
    pair({ id: '__proto__', document: `${document} `, summary, claims, label: 0, fields: { toString: 1 } }),
  ];
}

/** Claims that share parts of the summary. */
export function overlappingRows() {
  const document = 'The town has a new mayor, Ida Rask, who is forty. She was a teacher.';
  const summary = 'Ida Rask, a teacher of forty, is the new mayor.';
  const part = { score: 0.9, verdict: 'supported', evidence: 'She was a teacher.' };
  const claims = [
    {
      ...part,
      text: 'Ida Rask is a teacher.',
      covers: ['Ida Rask, a teacher'],
      level: 'coref',
      mention: 'She',
      by: 'Ida Rask',
    },
    {
      ...part,
      text: 'Ida Rask is forty.',
      covers: ['Ida Rask', 'of forty'],
      evidence: 'The town has a new mayor, Ida Rask, who is forty.',
    },
    {
      ...part,
      text: 'Ida Rask is the new mayor.',
      covers: [summary],
      score: 0.1,
      verdict: 'unsupported',
      evidence: 'The town has a new mayor',
    },
  ];
  return [pair({ id: 'overlap', document, summary, claims, label: 1 })];
}

/** A document of about a million characters, its evidence far down, without a line end for most of it. */
export function longRows() {
  const filler = 'The committee met again, heard the same three witnesses and adjourned without a vote. ';
  const document = `${filler.repeat(6000)}The dam broke at noon. ${filler.repeat(3000)}\n\n${(filler + '\n').repeat(2600)}Nobody was hurt at the dam. \ud83c\udf0a ${filler}`;
  const summary = 'The dam broke at noon. Nobody was hurt.';
  const claims = [
    {
      text: 'The dam broke at noon.',
      covers: ['The dam broke at noon.'],
      score: 0.9,
      verdict: 'supported',
      evidence: 'The dam broke at noon.',
    },
    {
      text: 'Nobody was hurt.',
      covers: ['Nobody was hurt.'],
      score: -0.5,
      verdict: 'contradicted',
      evidence: 'Nobody was hurt at the dam.',
      counter: 'The dam broke at noon.',
    },
  ];
  return [pair({ id: 'dam', document, summary, claims, label: 1 })];
}

const WORDS =
  'council river engine winter teacher harbour minister bridge garden patient school market island doctor storm village report ticket museum captain'.split(
    ' ',
  );

/** Many rows of the size of news articles. */
export function* manyRows(count) {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const word = () => WORDS[Math.floor(random() * WORDS.length)];
  const sentence = () => {
    const middle = Array.from({ length: 6 + Math.floor(random() * 14) }, word).join(' ');
    return `The ${word()} ${middle} ${Math.floor(random() * 9000)}.`;
  };
  for (let row = 0; row < count; row += 1) {
    const parts = Array.from({ length: 34 }, sentence);
    const document = parts.join(' ');
    const texts = Array.from({ length: 3 + (row % 3) }, sentence);
    const claims = texts.map((text) => {
      const score = Math.round((random() * 1.6 - 0.6) * 1e6) / 1e6;
      const evidence = parts[Math.floor(random() * parts.length)];
      const verdict = score >= 0.3 ? 'supported' : score < -0.3 ? 'contradicted' : 'unsupported';
      return {
        text,
        covers: [text],
        score,
        verdict,
        evidence,
        counter: verdict === 'contradicted' ? evidence : undefined,
      };
    });
    const mean = claims.reduce((sum, one) => sum + one.score, 0) / claims.length;
    yield pair({
      id: `row-${row}`,
      document,
      summary: texts.join(' '),
      claims,
      label: random() < 0.3 + mean / 2 ? 1 : 0,
    });
  }
}
