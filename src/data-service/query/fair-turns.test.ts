import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairTurns, fairLimits, undivided, type TurnLimits } from './fair-turns.ts';

const never = new AbortController().signal;

/** Askers named as "organization/key"; those of `pipeline` are pipelines. */
function turns(limits: TurnLimits) {
  const fair = new FairTurns(limits);
  const begun: string[] = [];
  const leaves = new Map<string, () => void>();
  const ended: string[] = [];
  const ask = async (name: string, signal = never): Promise<void> => {
    const [organizationId, key] = name.split(' ')[0]!.split('/') as [string, string];
    const isPipeline = key === 'pipeline';
    const turn = await fair.enter({ organizationId, keyId: isPipeline ? null : key, isPipeline }, signal);
    leaves.set(name, turn.leave);
    turn.mustEnd.addEventListener('abort', () => ended.push(`${name}: ${(turn.mustEnd.reason as Error).message}`));
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
  return { fair, begun, ended, ask, askAll, end };
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
  const { begun, askAll, end } = turns({ ...fairLimits(1), shortMs: null });
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

it('serves all alike after it had nobody to serve', async () => {
  const { begun, askAll, end } = turns(undivided(1));
  await askAll('a/k 1');
  await end('a/k 1');
  await askAll('x/k 1', 'a/k 2', 'c/k 1');
  await end('x/k 1');
  expect(begun.at(-1)).toBe('a/k 2');
});

it('remembers a bounded number of those whom it served, however long it is busy, and those of late', async () => {
  const { fair, begun, askAll, end } = turns(undivided(2));
  await askAll('busy/k 1');
  for (let n = 0; n < 1500; n++) {
    await askAll(`o${n}/k 1`);
    await end(`o${n}/k 1`);
  }
  expect(fair.remembered).toBeLessThanOrEqual(1000);
  await askAll('x/k 1', 'o1499/k 2', 'o1/k 2');
  await end('x/k 1');
  expect(begun.at(-1)).toBe('o1/k 2');
});

it('forgets first whom it served longest ago, not who came first', async () => {
  const { begun, askAll, end } = turns(undivided(2));
  await askAll('busy/k 1');
  const serve = async (name: string): Promise<void> => {
    await askAll(name);
    await end(name);
  };
  await serve('regular/k 1');
  for (let n = 0; n < 300; n++) await serve(`o${n}/k 1`);
  await serve('regular/k 2');
  for (let n = 300; n < 600; n++) await serve(`o${n}/k 1`);
  await askAll('x/k 1', 'regular/k 3', 'o1/k 2');
  await end('x/k 1');
  expect(begun.at(-1)).toBe('o1/k 2'); // as never served, before the one that is known to be
});

describe('the place for short queries', () => {
  const limits: TurnLimits = { ...undivided(2), shortMs: 5000 };
  function atStandstill(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  it('takes at once an organization that has nothing served, and nobody else', async () => {
    const { begun, askAll } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'a/k 2', 'c/pipeline 1');
    expect(begun).toEqual(['a/k 1', 'b/k 1']);
    await askAll('d/k 1');
    expect(begun.slice(2)).toEqual(['d/k 1']);
    await askAll('d/k 2', 'e/k 1');
    expect(begun).toHaveLength(3);
  });

  it('is given up after 5 s, once another organization waits for it', async () => {
    atStandstill();
    const { begun, ended, askAll, end } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'a/k 2');
    vi.advanceTimersByTime(4000);
    await askAll('d/k 1');
    vi.advanceTimersByTime(999);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual([expect.stringMatching(/^c\/k 1: The query had the place for short ones.* for 5 s/)]);
    await end('c/k 1');
    expect(begun.at(-1)).toBe('d/k 1');
  });

  it('is kept for as long as no other organization waits for it', async () => {
    atStandstill();
    const { ended, askAll, end } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'a/k 2', 'c/k 2');
    vi.advanceTimersByTime(20_000);
    expect(ended).toEqual([]);
    await end('b/k 1'); // c has a place as any other now, and b the one for short queries
    await askAll('b/k 2');
    vi.advanceTimersByTime(20_000);
    expect(ended).toEqual([]);
  });
});
