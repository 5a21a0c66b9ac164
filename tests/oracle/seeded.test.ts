import { describe, expect, it } from 'vitest';
import { departures, describeAnswer } from './cases/departures.ts';
import { summaryOf, verdictOf } from './judge-answers.ts';
import { hasOracle, hasOracleModels } from './oracle.ts';
import { runCases } from './run-cases.ts';
import { seededCases } from './seeded-cases.ts';

const withModels = hasOracleModels();
const patienceMs = 600_000; // takes half a minute on an idle computer

describe.skipIf(!hasOracle)('the same as the machine does it (skipped without ../shared/machine-oracle)', () => {
  const seed = 1;

  it('gives the same pictures of transform cameras', { timeout: patienceMs }, async () => {
    await expectAllExplained(250, false);
  });

  it.skipIf(!withModels)(
    'gives the same tensors, detections and classifications, and builds the same configurations (skipped without Python’s onnxruntime)',
    { timeout: patienceMs },
    async () => {
      await expectAllExplained(500, true);
    },
  );

  async function expectAllExplained(count: number, models: boolean): Promise<void> {
    const answered = await runCases(seededCases(seed, count, models));
    const verdicts = answered.map(verdictOf);
    console.log(summaryOf(verdicts, seed));
    const unexplained = answered.flatMap(({ seeded }, i) =>
      verdicts[i]!.kind === 'unexplained' ? [`${verdicts[i]!.why}: ${JSON.stringify(seeded)}`] : [],
    );
    expect(unexplained).toEqual([]);
    // If nearly all cases were refused, the run would pass without comparing results.
    expect(verdicts.filter(({ kind }) => kind === 'equal').length).toBeGreaterThan(count * 0.4);
  }
});

describe.skipIf(!withModels)(
  'what differs on purpose (skipped without ../shared/machine-oracle and Python’s onnxruntime)',
  () => {
    it('differs as CONTRIBUTING says', { timeout: patienceMs }, async () => {
      const answered = await runCases(departures.map(({ seeded }) => seeded));
      const said = answered.map(({ machine, here }, i) => ({
        name: departures[i]!.name,
        machine: describeAnswer(machine),
        here: describeAnswer(here),
      }));
      expect(said).toEqual(
        departures.map(({ name, machine, here }) => ({
          name,
          machine: expect.stringMatching(machine) as string,
          here: expect.stringMatching(here) as string,
        })),
      );
    });
  },
);
