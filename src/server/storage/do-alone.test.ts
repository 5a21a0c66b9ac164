import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../tests/deferred.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { doAlone } from './do-alone.ts';

const never = new AbortController().signal;
const clock = { now: () => Date.now() * 1000 };

describe('work that one host does alone', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is not begun where another host is at it, however long that takes', async () => {
    const { leases } = memoryDataStore(clock);
    const working = deferred<string>();
    const first = doAlone(leases, 'sweep', never, () => working.promise);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await doAlone(leases, 'sweep', never, async () => 'second')).toBeNull();
    expect(await doAlone(leases, 'other work', never, async () => 'third')).toBe('third');
    working.resolve('first');
    expect(await first).toBe('first');
    expect(await doAlone(leases, 'sweep', never, async () => 'second')).toBe('second');
  });

  it('is free again when it failed', async () => {
    const { leases } = memoryDataStore(clock);
    const failing = doAlone(leases, 'sweep', never, () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
    expect(await doAlone(leases, 'sweep', never, async () => 'again')).toBe('again');
  });

  it('is told to end where another host has taken it over, and leaves it to that one', async () => {
    const { leases } = memoryDataStore(clock);
    const frozen = { ...leases, renew: () => Promise.reject(new StoreError('unavailable', 'no answer')) };
    let isRenewed = false;
    const failing = {
      ...leases,
      renew: (...of: Parameters<typeof leases.renew>) => (isRenewed ? leases : frozen).renew(...of),
    };
    const first = doAlone(
      failing,
      'sweep',
      never,
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    await vi.advanceTimersByTimeAsync(70_000);
    const working = deferred<string>();
    const second = doAlone(leases, 'sweep', never, () => working.promise);
    isRenewed = true;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await first).toBeNull();
    expect(await doAlone(leases, 'sweep', never, async () => 'third')).toBeNull();
    working.resolve('second');
    expect(await second).toBe('second');
  });

  it('ends with its host', async () => {
    const { leases } = memoryDataStore(clock);
    const stopped = new AbortController();
    const work = doAlone(leases, 'sweep', stopped.signal, async (signal) => {
      stopped.abort(new Error('the host ends'));
      signal.throwIfAborted();
    });
    await expect(work).rejects.toThrow('the host ends');
  });
});
