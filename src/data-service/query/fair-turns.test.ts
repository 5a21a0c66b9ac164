import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairTurns, fairLimits, undivided, type Turn, type TurnLimits } from './fair-turns.ts';

const never = new AbortController().signal;

/** Askers named as "organization/key"; those of `pipeline` are pipelines. */
function turns(limits: TurnLimits) {
  const fair = new FairTurns(limits);
  const begun: string[] = [];
  const taken = new Map<string, Turn>();
  const ended: string[] = [];
  const ask = async (name: string, signal = never): Promise<void> => {
    const [organizationId, key] = name.split(' ')[0]!.split('/') as [string, string];
    const isPipeline = key === 'pipeline';
    const turn = await fair.enter({ organizationId, keyId: isPipeline ? null : key, isPipeline }, signal);
    taken.set(name, turn);
    turn.mustEnd.addEventListener('abort', () => ended.push(`${name}: ${(turn.mustEnd.reason as Error).message}`));
    begun.push(name);
  };
  const askAll = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) void ask(name);
    await settled();
  };
  const end = async (name: string): Promise<void> => {
    taken.get(name)!.leave();
    await settled();
  };
  const use = (name: string, processorMs: number): void => taken.get(name)!.used(processorMs);
  return { fair, begun, ended, ask, askAll, use, end };
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
  const { begun, askAll, end } = turns({ ...fairLimits(1), shortPlaces: 0 });
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
  expect(begun.at(-1)).toBe('o1/k 2'); // an asker that was forgotten counts as never served, before the one that is known to be
});

function atStandstill(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

it('serves first whose organization, and then whose key, had less processor time of late', async () => {
  atStandstill();
  const { begun, askAll, use, end } = turns(undivided(1));
  await askAll('a/k 1', 'b/k 1');
  use('a/k 1', 900);
  await end('a/k 1');
  use('b/k 1', 300);
  await end('b/k 1');
  await askAll('x/k 1', 'a/k 2', 'b/k 2', 'a/l 2');
  for (const name of ['x/k 1', 'b/k 2', 'a/l 2', 'a/k 2']) await end(name);
  expect(begun.slice(2)).toEqual(['x/k 1', 'b/k 2', 'a/l 2', 'a/k 2']);
});

it('halves what was had with each minute', async () => {
  atStandstill();
  const { begun, askAll, use, end } = turns(undivided(1));
  await askAll('a/k 1', 'b/k 1');
  use('a/k 1', 900);
  await end('a/k 1');
  vi.advanceTimersByTime(120_000);
  use('b/k 1', 300);
  await end('b/k 1');
  await askAll('x/k 1', 'b/k 2', 'a/k 2');
  await end('x/k 1');
  expect(begun.at(-1)).toBe('a/k 2');
});

describe('the places for short queries', () => {
  const limits: TurnLimits = { ...undivided(2), shortPlaces: 1 };

  it('take at once organizations that have nothing served, and nobody else', async () => {
    const { fair, begun, askAll } = turns({ ...limits, shortPlaces: 2 });
    await askAll('a/k 1');
    expect(fair.isFull).toBe(false);
    await askAll('b/k 1', 'a/k 2', 'c/pipeline 1');
    expect(begun).toEqual(['a/k 1', 'b/k 1']);
    expect(fair.isFull).toBe(true);
    await askAll('d/k 1');
    expect(begun.slice(2)).toEqual(['d/k 1']);
    await askAll('d/k 2', 'e/k 1');
    expect(begun.slice(3)).toEqual(['e/k 1']);
    await askAll('f/k 1');
    expect(begun).toHaveLength(4);
  });

  it('are told of those that began in one', async () => {
    const fair = new FairTurns({ ...undivided(1), shortPlaces: 1 });
    const enter = (organizationId: string) => fair.enter({ organizationId, keyId: 'k', isPipeline: false }, never);
    const both = [await enter('a'), await enter('b')];
    expect(both.map(({ isShort }) => isShort)).toEqual([false, true]);
    for (const turn of both) turn.leave();
  });

  it('are given up after 1 s of processor time, once an organization that had less waits for one', async () => {
    atStandstill();
    const { begun, ended, askAll, use, end } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'a/k 2');
    use('c/k 1', 500);
    await askAll('d/k 1');
    use('c/k 1', 999);
    expect(ended).toEqual([]);
    use('c/k 1', 1000);
    expect(ended).toEqual([
      expect.stringMatching(/^c\/k 1: The query had a place for short .* 1 s of processor time or 2 s by the clock: /),
    ]);
    await end('c/k 1');
    expect(begun.at(-1)).toBe('d/k 1');
  });

  it('are given up after 2 s by the clock, however little processor time their queries get', async () => {
    atStandstill();
    const { ended, askAll, use } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'd/k 1');
    use('c/k 1', 20);
    vi.advanceTimersByTime(1999);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    expect(ended).toHaveLength(1);
  });

  it('are given up at once to an organization that comes later', async () => {
    const { ended, askAll, use } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1');
    use('c/k 1', 9000);
    expect(ended).toEqual([]);
    await askAll('d/k 1');
    expect(ended).toHaveLength(1);
  });

  it('are kept by a query that had little, whatever its organization had before', async () => {
    atStandstill();
    const { ended, askAll, use, end } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1');
    use('c/k 1', 8000);
    await end('c/k 1');
    await askAll('c/k 2', 'd/k 1');
    vi.advanceTimersByTime(1500);
    use('c/k 2', 999);
    expect(ended).toEqual([]);
    use('c/k 2', 1000);
    expect(ended).toHaveLength(1);
  });

  it('are kept for as long as no other organization waits for one, or only one that had more', async () => {
    atStandstill();
    const { ended, askAll, use, end } = turns(limits);
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'a/k 2', 'c/k 2');
    use('c/k 1', 20_000);
    await end('c/k 1');
    await end('c/k 2');
    await askAll('d/k 1');
    use('d/k 1', 3000);
    await askAll('c/k 3');
    vi.advanceTimersByTime(5000);
    expect(ended).toEqual([]);
    await end('b/k 1'); // d has a place as any other now, and b the one for short queries
    await askAll('b/k 2', 'e/k 1');
    expect(ended).toEqual([]);
  });

  it('give way once for each organization that waits, first those that had most by themselves', async () => {
    atStandstill();
    const { begun, ended, askAll, use, end } = turns({ ...limits, shortPlaces: 3 });
    await askAll('a/k 1', 'b/k 1', 'c/k 1', 'd/k 1', 'e/k 1');
    use('c/k 1', 1100);
    use('d/k 1', 1300);
    use('e/k 1', 1200);
    await askAll('f/k 1', 'f/l 1');
    const names = () => ended.map((told) => told.split(':')[0]);
    expect(names()).toEqual(['d/k 1']);
    use('e/k 1', 1250); // d is about to leave: nobody else waits
    expect(names()).toEqual(['d/k 1']);
    await askAll('g/k 1');
    expect(names()).toEqual(['d/k 1', 'e/k 1']);
    await end('d/k 1');
    await end('e/k 1');
    expect(begun.slice(5)).toEqual(['f/k 1', 'g/k 1']);
    expect(names()).toHaveLength(2);
  });

  it('leave one for a quiet organization at once while three others burn what they get', async () => {
    const { begun, ended, askAll } = turns(fairLimits(4));
    const burning = ['a', 'b', 'c'].flatMap((name) => [1, 2, 3, 4].map((n) => `${name}/k ${n}`));
    await askAll(...burning, 'quiet/k 1');
    expect(begun.slice(4)).toEqual(['c/k 1', 'quiet/k 1']);
    expect(ended).toEqual([]);
  });

  it.each([4, 8])(
    'are had within 2 s by a quiet one of late beside %d that burn, on a machine at its limit',
    async (n) => {
      atStandstill();
      const { begun, ended, askAll, use, end } = turns(fairLimits(4));
      const usedMs = new Map<string, number>();
      const running = new Set<string>();
      let asked = 0;
      const pass = async (): Promise<void> => {
        vi.advanceTimersByTime(250);
        for (const name of begun.splice(0)) running.add(name);
        for (const name of running) {
          usedMs.set(name, (usedMs.get(name) ?? 0) + 25); // a tenth of a core
          use(name, usedMs.get(name)!);
        }
        for (const told of ended.splice(0)) {
          const name = told.split(':')[0]!;
          running.delete(name);
          await end(name);
          await askAll(`${name.split('/')[0]}/k ${asked++}`);
        }
      };
      await askAll(...Array.from({ length: 4 * n }, (_, index) => `o${index % n}/k ${asked++}`));
      for (let ms = 0; ms < 60_000; ms += 250) await pass();
      const waits: number[] = [];
      for (let query = 0; query < 10; query++) {
        await askAll(`quiet/k ${query}`);
        let waitedMs = 0;
        for (; !running.has(`quiet/k ${query}`); waitedMs += 250) await pass();
        waits.push(waitedMs);
        await pass();
        running.delete(`quiet/k ${query}`);
        await end(`quiet/k ${query}`);
        await pass();
      }
      expect(Math.max(...waits)).toBeLessThanOrEqual(2250); // the query is seen to run at the end of its first 250 ms
    },
  );
});
