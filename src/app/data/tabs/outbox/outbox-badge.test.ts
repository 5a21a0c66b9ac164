import { expect, it } from 'vitest';
import { OutboxBadge } from './outbox-badge.svelte.ts';

it('counts what is not sent, as it changes, until it is left', async () => {
  let counts = { waiting: 2, sending: 1, sent: 9, failed: 0 };
  let tell = () => undefined as void;
  let ended = 0;
  const store = {
    counts: () => Promise.resolve(counts),
    onChange(listener: () => void) {
      tell = listener;
      return () => void ended++;
    },
  };
  const badge = new OutboxBadge();
  const leave = badge.watch(store);
  await expect.poll(() => [badge.toSend, badge.failed]).toEqual([3, 0]);
  counts = { waiting: 0, sending: 0, sent: 11, failed: 1 };
  tell();
  await expect.poll(() => [badge.toSend, badge.failed]).toEqual([1, 1]);
  leave();
  expect(ended).toBe(1);
});
