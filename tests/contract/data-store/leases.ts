import { describe, expect, it } from 'vitest';
import { testNow } from './blobs.ts';
import type { Subject } from './store-under-test.ts';

const minute = 60e6;

export function describeLeases(subject: Subject): void {
  const leases = () => subject().store.leases;
  const after = (minutes: number) => subject().setTime(testNow + minutes * minute);
  const taken = async (name = 'work', length = minute) => {
    const lease = await leases().take(name, length);
    expect(lease).toMatchObject({ name, token: expect.any(Number) });
    return lease!;
  };

  describe('leases', () => {
    it('go by a time that the test sets', async () => {
      await after(7);
      expect(await subject().store.now()).toBe(testNow + 7 * minute);
    });

    it('are held by one at a time, each by its name', async () => {
      await after(0);
      await taken('work');
      expect(await leases().take('work', minute)).toBeNull();
      await taken('other work');
      await after(1);
      expect(await leases().take('work', minute)).toBeNull();
      await after(1.01);
      const attempts = await Promise.all(Array.from({ length: 5 }, () => leases().take('work', minute)));
      expect(attempts.filter(Boolean)).toHaveLength(1);
    });

    it('are held for longer by those who renew them', async () => {
      await after(0);
      const lease = await taken();
      await after(0.9);
      await leases().renew(lease, minute);
      await after(1.8);
      expect(await leases().take('work', minute)).toBeNull();
      await after(2);
      await leases().renew(lease, minute); // over, but nobody has taken it
      expect(await leases().take('work', minute)).toBeNull();
    });

    it('are not taken back by one that did not know that its lease was over', async () => {
      await after(0);
      const frozen = await taken();
      await after(2);
      const next = await taken();
      expect(next.token).toBeGreaterThan(frozen.token);
      await expect(leases().renew(frozen, minute)).rejects.toMatchObject({ code: 'conflict', subject: 'work' });
      await leases().release(frozen);
      expect(await leases().take('work', minute)).toBeNull();
      await leases().renew(next, minute);
    });

    it('are free when they are given up, and their tokens grow on', async () => {
      await after(0);
      const first = await taken();
      await leases().release(first);
      await expect(leases().renew(first, minute)).rejects.toMatchObject({ code: 'conflict' });
      const second = await taken();
      expect(second.token).toBeGreaterThan(first.token);
    });

    it('are not believed to last for hours where the time was set back', async () => {
      await after(300);
      await taken();
      await after(0);
      await taken();
      expect(await leases().take('work', minute)).toBeNull();
    });
  });
}
