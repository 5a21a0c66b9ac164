import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SeededCase } from '../tests/oracle/cases/seeded-case.ts';
import { summaryOf, verdictOf } from '../tests/oracle/judge-answers.ts';
import { hasOracle, hasOracleModels } from '../tests/oracle/oracle.ts';
import { runCases } from '../tests/oracle/run-cases.ts';
import { seededCases } from '../tests/oracle/seeded-cases.ts';

// Asks the machine's own code and ours the same seeded questions, and prints each answer that differs without a reason as
// a line of JSON: `npm run oracle -- --seed 7 --cases 2000`. Such lines, kept in a file, are asked again by `--again FILE`.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '500' },
    again: { type: 'string' },
  },
});

if (!hasOracle) {
  console.error("The machine's own code is not at hand here (CONTRIBUTING.md says where it is looked for).");
  process.exit(2);
}
const withModels = hasOracleModels();
if (!withModels) console.error("Without Python's onnxruntime and numpy only transform cameras are compared.");

const [seed, count] = [Number(values.seed), Number(values.cases)];
const cases = values.again === undefined ? seededCases(seed, count, withModels) : casesIn(values.again);
const answered = await runCases(cases);
const verdicts = answered.map(verdictOf);
for (const [i, { kind, why }] of verdicts.entries()) {
  if (kind !== 'unexplained') continue;
  console.error(why);
  console.log(JSON.stringify(cases[i]));
}
console.error(summaryOf(verdicts, seed));
process.exitCode = verdicts.some(({ kind }) => kind === 'unexplained') ? 1 : 0;

function casesIn(path: string): SeededCase[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as SeededCase);
}
