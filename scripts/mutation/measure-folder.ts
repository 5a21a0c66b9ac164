import { readFileSync } from 'node:fs';
import { diceOf } from '../../tests/oracle/cases/dice.ts';
import { filesIn, testsOf } from './find-files.ts';
import { mutantsOf, type Mutant } from './mutants-of.ts';
import { countedText, markedText } from './served-text.ts';
import { TestSession, type TestAnswer } from './test-session.ts';

export type Fate = 'killed' | 'timeout' | 'survived' | 'no coverage';

export interface Measured {
  readonly folder: string;
  /** How many mutants the folder has; `fates` holds those that were tried. */
  readonly all: number;
  readonly fates: ReadonlyMap<Mutant, Fate>;
}

interface Options {
  /** How many mutants are tried, drawn by `seed`; all where there are no more. */
  readonly sample: number;
  readonly seed: number;
  /** How many tests run side by side. */
  readonly lanes: number;
  readonly tell: (progress: string) => void;
  /** The longest time of trying; the mutants tried until then are still a fair sample. */
  readonly minutes: number;
}

const unhurriedMs = 120_000;

/** Tries a folder's mutants, each on the tests that come to its place, the quickest first, until one fails. */
export async function measureFolder(
  folder: string,
  { sample, seed, lanes, tell, minutes }: Options,
): Promise<Measured> {
  const texts = new Map(filesIn(folder).map((path) => [path, readFileSync(path, 'utf8')]));
  const all = [...texts].flatMap(([path, text]) => mutantsOf(path, text));
  const mutants = drawn(all, sample, seed);
  const tests = await testsThatReach(mutants, texts, testsOf(folder), tell);

  const signal = AbortSignal.timeout(minutes * 60_000);
  const fates = new Map<Mutant, Fate>();
  const left = [...mutants.entries()];
  const tryInTurn = async (): Promise<void> => {
    const session = new TestSession(0);
    for (const [path, text] of texts) await session.serve(path, countedText(path, text, null));
    for (let next = left.pop(); next && !signal.aborted; next = left.pop()) {
      const [number, mutant] = next;
      fates.set(mutant, await fateOf(mutant, texts.get(mutant.path)!, tests.get(number) ?? [], session));
      if (fates.size % 20 === 0) tell(`${folder}: ${fates.size} of ${mutants.length}`);
    }
    await session.close();
  };
  await Promise.all(Array.from({ length: lanes }, tryInTurn));
  const inOrder = all.filter((mutant) => fates.has(mutant));
  return { folder, all: all.length, fates: new Map(inOrder.map((mutant) => [mutant, fates.get(mutant)!])) };
}

function drawn(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const keyed = mutants.map((mutant, number) => ({ mutant, key: diceOf(seed, number).next() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

interface ReachingTest {
  readonly path: string;
  readonly durationMs: number;
}

/** By the number of a mutant, the tests that come to its place in files as they are. */
async function testsThatReach(
  mutants: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
  tests: readonly string[],
  tell: (progress: string) => void,
): Promise<Map<number, ReachingTest[]>> {
  const session = new TestSession(mutants.length);
  for (const [path, text] of texts) {
    const here = [...mutants.entries()].filter(([, mutant]) => mutant.path === path);
    await session.serve(path, markedText(text, new Map(here)));
  }
  const reaching = new Map<number, ReachingTest[]>();
  for (const [i, path] of tests.entries()) {
    tell(`${i + 1} of ${tests.length} tests, before any change`);
    const answer = await session.run(path, unhurriedMs);
    if (answer.outcome !== 'passed') throw new Error(`${path} fails before any change: ${answer.why}`);
    for (const number of answer.reached) {
      reaching.set(number, [...(reaching.get(number) ?? []), { path, durationMs: answer.durationMs }]);
    }
  }
  await session.close();
  for (const found of reaching.values()) found.sort((a, b) => a.durationMs - b.durationMs);
  return reaching;
}

async function fateOf(
  mutant: Mutant,
  text: string,
  tests: readonly ReachingTest[],
  session: TestSession,
): Promise<Fate> {
  if (tests.length === 0) return 'no coverage';
  await session.serve(mutant.path, countedText(mutant.path, text, mutant.edit));
  let outcome: TestAnswer['outcome'] = 'passed';
  for (const { path, durationMs } of tests) {
    ({ outcome } = await session.run(path, Math.ceil(5 * durationMs) + 3000));
    if (outcome !== 'passed') break;
  }
  await session.serve(mutant.path, countedText(mutant.path, text, null));
  return outcome === 'passed' ? 'survived' : outcome === 'failed' ? 'killed' : 'timeout';
}
