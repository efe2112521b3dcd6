// An assertion for promptfoo: asks a Veridic server whether an output is supported by the variable `context`.
//
// In `config`: `url` of the server, `context` (the variable's name), `minScore` (by default the verdict must be supported),
// `token` (of `veridic serve --token-file`). An answer of the server that is no judgement is an error, never a score.

module.exports = async (output, { vars, config = {} }) => {
  const url = config.url || process.env.VERIDIC_URL || 'http://127.0.0.1:8080';
  const name = config.context || 'context';
  const context = vars[name];
  if (typeof output !== 'string') throw new Error(`Veridic judges texts, not an output of type ${typeof output}`);
  const isText = typeof context === 'string' || (Array.isArray(context) && context.every((part) => typeof part === 'string'));
  if (!isText) throw new Error(`Veridic needs the variable \`${name}\`, a text or a list of texts`);

  const headers = { 'Content-Type': 'application/json' };
  if (config.token) headers.Authorization = `Bearer ${config.token}`;
  const sources = (texts) => texts.map((text, index) => ({ id: index + 1, text })).filter(({ text }) => text.trim());
  const document = Array.isArray(context) ? sources(context) : context;
  const answer = await fetch(new URL('/v1/score', url), { method: 'POST', headers, body: JSON.stringify({ document, summary: output }) });
  const result = await answer.json();
  if (!answer.ok) throw new Error(`Veridic answered ${answer.status}: ${result.error?.message ?? JSON.stringify(result)}`);

  // Without headings and greetings, which have no verdict, and refusals to answer.
  const claims = result.claims.filter(({ verdict }) => verdict && verdict !== 'no_answer');
  const failed = claims.filter((claim) => claim.verdict !== 'supported');
  const head = `${result.verdict}, score ${result.score.toFixed(2)}: ${claims.length - failed.length} of ${claims.length} claims supported`;
  return {
    pass: config.minScore === undefined ? result.verdict === 'supported' : result.score >= config.minScore,
    score: result.score,
    reason: [head, ...failed.map(reason)].join('\n'),
    componentResults: claims.map((claim) => ({
      pass: claim.verdict === 'supported',
      score: claim.score,
      reason: claim.verdict === 'supported' ? `supported: ${claim.text}` : reason(claim),
    })),
  };
};

// Why a claim is not supported, and what the document says.
function reason(claim) {
  const { counter_evidence: counter, instead, support } = claim;
  const lines = [`- ${claim.verdict} (${claim.score.toFixed(2)}): ${claim.text}`];
  if (instead) lines.push(`the document says ${instead.document}, not ${instead.text}`);
  else if (counter?.quantity) lines.push(`the document says ${counter.quantity.document}, not ${counter.quantity.claim}`);
  else lines.push(...(support?.not_found ?? []));
  const shown = counter ?? claim.evidence;
  if (claim.reason) lines.push(claim.explanation);
  else lines.push(`${counter ? 'against it' : 'nearest'} ${place(shown)}: ${shown.text}`);
  return lines.join('\n    ');
}

// Where the evidence is: its place in the text, or in each source of a list.
function place({ span, sources }) {
  if (!sources?.length) return `[${span.join(', ')}]`;
  return `in ${sources.map(({ id, spans }) => `source ${id} [${spans[0][0]}, ${spans.at(-1)[1]}]`).join(' and ')}`;
}
