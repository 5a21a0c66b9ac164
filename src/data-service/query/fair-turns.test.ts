import { expect, it } from 'vitest';
import { FairTurns, fairLimits, undivided, type TurnLimits } from './fair-turns.ts';

const never = new AbortController().signal;

/** Askers named as "organization/key"; those of `pipeline` are pipelines. */
function turns(limits: TurnLimits) {
  const fair = new FairTurns(limits);
  const begun: string[] = [];
  const leaves = new Map<string, () => void>();
  const ask = async (name: string, signal = never): Promise<void> => {
    const [organizationId, key] = name.split(' ')[0]!.split('/') as [string, string];
    const isPipeline = key === 'pipeline';
    leaves.set(name, await fair.enter({ organizationId, keyId: isPipeline ? null : key, isPipeline }, signal));
    begun.push(name);
  };
  const askAll = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) void ask(name);
    await settled();
  };
  const end = async (name: string): Promise<void> => {
    leaves.get(name)!();
    await settled();
  };
  return { fair, begun, ask, askAll, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('leaves a place that no organization can take, and one that no key of it can', async () => {
  const { begun, askAll } = turns(fairLimits(4));
  await askAll('a/k 1', 'a/k 2', 'a/k 3', 'a/k 4');
  expect(begun).toEqual(['a/k 1', 'a/k 2']);
  await askAll('a/l 1', 'a/l 2');
  expect(begun.slice(2)).toEqual(['a/l 1']);
  await askAll('b/k 1', 'b/k 2');
  expect(begun.slice(3)).toEqual(['b/k 1']);
});

it('serves one after the other where there is one place', async () => {
  const { begun, askAll, end } = turns(fairLimits(1));
  await askAll('a/k 1', 'a/k 2', 'b/k 1');
  expect(begun).toEqual(['a/k 1']);
  await end('a/k 1');
  expect(begun).toEqual(['a/k 1', 'b/k 1']);
});

it('goes round the organizations and their keys, whoever came first', async () => {
  const { begun, askAll, end } = turns(undivided(1));
  await askAll('a/k 1', 'a/k 2', 'a/k 3', 'a/l 1', 'b/k 1', 'b/k 2');
  const order = ['a/k 1', 'b/k 1', 'a/l 1', 'b/k 2', 'a/k 2', 'a/k 3'];
  for (const name of order) await end(name);
  expect(begun).toEqual(order);
});

it('serves first whom it serves the least now', async () => {
  const { begun, askAll, end } = turns(undivided(3));
  await askAll('a/k 1', 'b/k 1', 'a/k 2');
  await askAll('a/k 3', 'b/k 2');
  await end('b/k 1');
  expect(begun.slice(3)).toEqual(['b/k 2']);
});

it('lets pipelines wait for people, and take what one key may at most', async () => {
  const { begun, askAll, end } = turns({ ...undivided(3), perKey: 2 });
  await askAll('a/pipeline 1', 'b/pipeline 1', 'c/pipeline 1');
  expect(begun).toEqual(['a/pipeline 1', 'b/pipeline 1']);
  await askAll('d/k 1', 'd/k 2');
  expect(begun.slice(2)).toEqual(['d/k 1']);
  await end('a/pipeline 1');
  expect(begun.slice(3)).toEqual(['d/k 2']);
  await end('d/k 1');
  expect(begun.slice(4)).toEqual(['c/pipeline 1']);
});

it('refuses an organization that has too many waiting, and no other one', async () => {
  const { begun, ask, askAll } = turns({ ...undivided(1), waitingPerOrganization: 2 });
  await askAll('a/k 1', 'a/k 2', 'a/l 1');
  await expect(ask('a/m 1')).rejects.toMatchObject({
    code: 'resource-exhausted',
    message: '2 queries of this organization wait already; try again later.',
  });
  await askAll('b/k 1');
  expect(begun).toEqual(['a/k 1']);
});

it('forgets who gave up, before its turn and after', async () => {
  const { fair, begun, ask, askAll, end } = turns(undivided(1));
  const patience = new AbortController();
  await askAll('a/k 1');
  const given = ask('a/k 2', patience.signal);
  await askAll('a/k 3');
  expect(fair.waitingOf('a')).toBe(2);
  patience.abort(new Error('no patience'));
  await expect(given).rejects.toThrow('no patience');
  await end('a/k 1');
  expect(begun).toEqual(['a/k 1', 'a/k 3']);
  await expect(ask('a/k 4', patience.signal)).rejects.toThrow('no patience');
  expect(fair.waitingOf('a')).toBe(0);
});
