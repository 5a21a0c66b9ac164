import { expect, it } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { LatestRun, type Work } from './latest-run.svelte.ts';

class OpenRun extends LatestRun<number> {
  override begin<Result>(work: Work<Result, number, string>): Promise<void> {
    return super.begin(work);
  }
}

function started() {
  const run = new OpenRun();
  const [taken, dropped]: [string[], string[]] = [[], []];
  const start = () => {
    const answer = deferred<string>();
    const asked = { answer, tell: (_: number) => {}, signal: null as AbortSignal | null };
    const ends = run.begin({
      first: 0,
      run: (tell, signal) => {
        Object.assign(asked, { tell, signal });
        return answer.promise;
      },
      take: (result) => taken.push(result),
      drop: (late) => dropped.push(late),
      faultOf: (error) => `It failed: ${(error as Error).message}`,
    });
    return { ...asked, ends };
  };
  return { run, start, taken, dropped };
}

it('tells progress, and takes the result', async () => {
  const { run, start, taken, dropped } = started();
  const one = start();
  expect(run.progress).toBe(0);
  one.tell(0.5);
  expect(run.progress).toBe(0.5);
  one.answer.resolve('a');
  await one.ends;
  one.tell(0.9);
  expect([taken, dropped, run.progress, run.fault]).toEqual([['a'], [], null, null]);
});

it('says why it failed, until the next start', async () => {
  const { run, start } = started();
  const one = start();
  one.answer.reject(new Error('No GPU.'));
  await one.ends;
  expect([run.fault, run.progress]).toEqual(['It failed: No GPU.', null]);
  start();
  expect(run.fault).toBeNull();
});

it.each([
  ['result', (answer: ReturnType<typeof deferred<string>>) => answer.resolve('late'), ['late']],
  ['failure', (answer: ReturnType<typeof deferred<string>>) => answer.reject(new Error('late')), []],
])('drops the %s of a run that was cancelled', async (_, end, late) => {
  const { run, start, taken, dropped } = started();
  const one = start();
  run.cancel();
  expect([one.signal!.aborted, run.progress]).toEqual([true, null]);
  one.tell(0.9);
  end(one.answer);
  await one.ends;
  expect([taken, dropped, run.fault, run.progress]).toEqual([[], late, null, null]);
});

it.each([
  ['result', (answer: ReturnType<typeof deferred<string>>) => answer.resolve('late'), ['late']],
  ['failure', (answer: ReturnType<typeof deferred<string>>) => answer.reject(new Error('late')), []],
])('drops the %s of a run behind a newer one, which goes on', async (_, end, late) => {
  const { run, start, taken, dropped } = started();
  const one = start();
  const other = start();
  other.tell(0.2);
  expect(one.signal!.aborted).toBe(true);
  one.tell(0.9);
  end(one.answer);
  await one.ends;
  expect([taken, dropped, run.fault, run.progress]).toEqual([[], late, null, 0.2]);
  other.answer.resolve('b');
  await other.ends;
  expect([taken, dropped, run.progress]).toEqual([['b'], late, null]);
});

it('fails where the result cannot be taken', async () => {
  const run = new OpenRun();
  const take = () => {
    throw new Error('no room');
  };
  await run.begin({ first: 0, run: async () => 1, take, faultOf: String });
  expect([run.fault, run.progress]).toEqual(['Error: no room', null]);
});
