import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerHere, answerThere, isSameAnswer, type FilterAnswer } from './answer-here.ts';
import { filterSequence } from './sequences.ts';

/** The program built of `decide.go` and the module's source. */
const program = process.env['SIGHTGLASS_FILTERED_CAMERA'] ?? '';
const seed = Number(process.env['ORACLE_SEED'] ?? 1);
const golden = fileURLToPath(new URL('golden.json', import.meta.url));
const goldenCount = 60;

describe('a filtered camera', () => {
  it('keeps what the module kept of the golden sequences', () => {
    const answers = JSON.parse(readFileSync(golden, 'utf8')) as readonly FilterAnswer[];
    expect(answers.length).toBe(goldenCount);
    const differing = differences(1, answers);
    expect(differing).toEqual([]);
  });

  it.skipIf(program === '')(
    'keeps what the module’s own code keeps (skipped without SIGHTGLASS_FILTERED_CAMERA)',
    { timeout: 300_000 },
    () => {
      const count = Number(process.env['SEQUENCES'] ?? 800);
      const answers = askModule(seed, count);
      expect(differences(seed, answers)).toEqual([]);
      const built = answers.filter(({ refused }) => !refused);
      const captures = built.flatMap((answer) => answer.captures);
      const kept = captures.filter((text) => text.includes('> at '));
      console.log(`${count} sequences, ${count - built.length} refused, ${captures.length} calls, ${kept.length} keep`);
      // If nearly all were refused or kept nothing, the run would compare nothing.
      expect(built.length).toBeGreaterThan(0.6 * count);
      expect(kept.length).toBeGreaterThan(0.2 * captures.length);
      expect(captures.filter((text) => text.includes('failed')).length).toBeGreaterThan(0);
      if (process.env['GOLDEN'] === 'write')
        writeFileSync(
          golden,
          `[\n${askModule(1, goldenCount)
            .map((answer) => JSON.stringify(answer))
            .join(',\n')}\n]\n`,
        );
    },
  );
});

function askModule(from: number, count: number): FilterAnswer[] {
  const input = Array.from({ length: count }, (_, number) => `${JSON.stringify(filterSequence(from, number))}\n`);
  const { stdout, status, error } = spawnSync(program, { input: input.join(''), maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status ?? String(error)}.`);
  // The module logs its warnings between the answers.
  const lines = stdout.toString().split('\n');
  return lines.filter((line) => line.startsWith('{')).map(answerThere);
}

function differences(from: number, answers: readonly FilterAnswer[]): unknown[] {
  return answers.flatMap((there, number) => {
    const sequence = filterSequence(from, number);
    const here = answerHere(sequence);
    return isSameAnswer(here, there) ? [] : [{ number, attributes: sequence.attributes, here, there }];
  });
}
