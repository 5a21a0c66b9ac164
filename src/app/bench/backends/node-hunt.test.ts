import { expect, it } from 'vitest';
import type { ComparisonTask, FoundDifference } from '../../../../workers/backends/client.ts';
import { deferred } from '../../../../tests/deferred.ts';
import type { Found } from './comparison-run.svelte.ts';
import { NodeHunt } from './node-hunt.svelte.ts';

const answer: FoundDifference = { says: 'It is a Conv.', runs: 7, pair: null, caseZip: null };
const until = (there: () => boolean) => expect.poll(there).toBe(true);
const names = { reference: 'WASM', other: 'WebGPU' };
const comparison = (...pictures: string[]) =>
  ({ task: { pictures: pictures.map((name) => ({ name })) } }) as unknown as Found;

function hunting() {
  const asked: { task: ComparisonTask; tell: (run: number) => void; signal: AbortSignal }[] = [];
  const answers: ReturnType<typeof deferred<FoundDifference>>[] = [];
  const hunt = new NodeHunt(async () => ({
    findDifference: (task, _names, tell, signal) => {
      asked.push({ task, tell, signal });
      answers.push(deferred<FoundDifference>());
      return answers.at(-1)!.promise;
    },
  }));
  return { hunt, asked, answers };
}

it('looks into a frame, with one that is run before it', async () => {
  const { hunt, asked, answers } = hunting();
  const of = comparison('a', 'b', 'c');
  const ends = hunt.start(of, 1, names);
  await until(() => asked.length === 1);
  expect(asked[0]!.task.pictures.map(({ name }) => name)).toEqual(['b', 'a']);
  asked[0]!.tell(3);
  expect(hunt.progress).toBe(3);
  answers[0]!.resolve(answer);
  await ends;
  expect([hunt.progress, hunt.answerOf(of)?.found, hunt.answerOf(of)?.frameName]).toEqual([null, answer, 'b']);
  expect(hunt.answerOf(comparison('a'))).toBeNull();
  void hunt.start(comparison('a'), 0, names);
  await until(() => asked.length === 2);
  expect(asked[1]!.task.pictures.map(({ name }) => name)).toEqual(['a']);
  void hunt.start(of, 0, names);
  await until(() => asked.length === 3);
  expect(asked[2]!.task.pictures.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('drops what is late, behind a cancel or another start', async () => {
  const { hunt, asked, answers } = hunting();
  const of = comparison('a', 'b');
  const late = hunt.start(of, 0, names);
  await until(() => asked.length === 1);
  const ends = hunt.start(of, 1, names);
  await until(() => asked.length === 2);
  answers[0]!.resolve({ ...answer, says: 'It is late.' });
  asked[0]!.tell(9);
  await late;
  expect([asked[0]!.signal.aborted, hunt.answerOf(of), hunt.progress]).toEqual([true, null, 0]);
  hunt.cancel();
  answers[1]!.reject(new Error('cancelled'));
  await ends;
  expect([hunt.fault, hunt.answerOf(of), hunt.progress]).toEqual([null, null, null]);
});

it('says why there is no answer', async () => {
  const { hunt, answers } = hunting();
  const of = comparison('a');
  const ends = hunt.start(of, 0, names);
  await until(() => answers.length === 1);
  answers[0]!.reject(new Error('No adapter.'));
  await ends;
  expect([hunt.fault, hunt.progress]).toEqual(['The node could not be looked for: No adapter.', null]);
});
