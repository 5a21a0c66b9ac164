import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runAlone } from '../../src/platform/browser/locks/run-alone.ts';
import { deferred } from '../deferred.ts';

beforeEach(() => void vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never));
afterEach(() => void vi.restoreAllMocks());

const never = new AbortController().signal;
/** ends before it is renewed, as with a page that is frozen */
const frozen = { lastsMs: 1, renewedEveryMs: 100 };

it('runs one at a time of a name, and the next as soon as one is done', async () => {
  const name = crypto.randomUUID();
  const log: string[] = [];
  const work = (of: string, until: Promise<void>) => async () => {
    log.push(`${of} begins`);
    await until;
    log.push(`${of} ends`);
    return of;
  };
  const [one, two] = [deferred(), deferred()];
  const first = runAlone(name, never, work('first', one.promise));
  await expect.poll(() => log).toEqual(['first begins']);
  const second = runAlone(name, never, work('second', two.promise));
  const other = runAlone(crypto.randomUUID(), never, work('other', two.promise));
  await expect.poll(() => log).toEqual(['first begins', 'other begins']);
  one.resolve();
  expect(await first).toBe('first');
  await expect.poll(() => log).toEqual(['first begins', 'other begins', 'first ends', 'second begins']);
  two.resolve();
  expect([await second, await other]).toEqual(['second', 'other']);
});

it('gives the turn back when the work fails', async () => {
  const name = crypto.randomUUID();
  await expect(runAlone(name, never, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  expect(await runAlone(name, never, async () => 'next')).toBe('next');
});

it('waits no longer than its signal lets it', async () => {
  const name = crypto.randomUUID();
  const [held, stop] = [deferred(), new AbortController()];
  const holding = runAlone(name, never, () => held.promise);
  const waiting = runAlone(name, stop.signal, async () => 'never');
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  held.resolve();
  await holding;
});

it('takes over from a page that no longer renews, which is told when it wakes', async () => {
  const name = crypto.randomUUID();
  const told = deferred<unknown>();
  const asleep = runAlone(
    name,
    never,
    async (signal) => {
      signal.addEventListener('abort', () => told.resolve(signal.reason));
      await told.promise;
    },
    frozen,
  );
  const [took, done] = [deferred(), deferred()];
  const next = runAlone(
    name,
    never,
    async () => {
      took.resolve();
      await done.promise;
    },
    { lastsMs: 60_000, renewedEveryMs: 20 },
  );
  await took.promise;
  expect(await told.promise).toMatchObject({ message: 'Another page took over.' });
  await asleep;
  expect(await runAlone(name, AbortSignal.timeout(50), async () => 'a third').catch(() => 'waits')).toBe('waits');
  done.resolve();
  await next;
});
