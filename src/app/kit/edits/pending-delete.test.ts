import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { PendingDelete } from './pending-delete.svelte.ts';

function open(remove: (ids: readonly string[]) => Promise<unknown> = async () => undefined) {
  const removed: string[] = [];
  const said: string[] = [];
  let nowMs = 0;
  let tick: (() => void) | null = null;
  const pending = new PendingDelete({
    announce: (sentence) => said.push(sentence),
    remove: async (ids) => {
      await remove(ids);
      removed.push(...ids);
    },
    now: () => nowMs,
    tick: (run) => {
      tick = run;
      return () => (tick = null);
    },
  });
  const after = async (ms: number): Promise<void> => {
    nowMs += ms;
    tick?.();
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
  };
  return { pending, removed, said, after, ticks: () => tick !== null };
}

it('sends nothing in the first ten seconds, and then deletes', async () => {
  const { pending, removed, said, after, ticks } = open();
  let deleted = 0;
  await pending.begin(new Set(['a', 'b']), 'image', () => deleted++);
  await after(9_900);
  expect([pending.leftSeconds, pending.has('a'), removed]).toEqual([1, true, []]);
  await after(100);
  expect([removed, deleted, pending.count, ticks()]).toEqual([['a', 'b'], 1, 0, false]);
  expect(said.at(-1)).toBe('2 images deleted.');
});

it('deletes nothing once it is undone', async () => {
  const { pending, removed, said, after } = open();
  await pending.begin(new Set(['a']), 'image', () => undefined);
  expect(pending.what).toBe('1 image');
  await after(5_000);
  pending.undo();
  await after(20_000);
  expect([removed, pending.has('a'), said.at(-1)]).toEqual([[], false, '1 image kept.']);
});

it('deletes at once what waited when the next delete begins', async () => {
  const { pending, removed } = open();
  await pending.begin(new Set(['a']), 'image', () => undefined);
  await pending.begin(new Set(['b']), 'image', () => undefined);
  expect([removed, pending.has('b')]).toEqual([['a'], true]);
});

it('says what could not be deleted', async () => {
  const { pending, after } = open(async () => {
    throw new ConnectError('The disk is gone.', Code.Unavailable);
  });
  await pending.begin(new Set(['a', 'b']), 'image', () => undefined);
  await after(10_000);
  expect(pending.outcome).toMatchObject({ tone: 'error', message: '0 of 2 images deleted. The disk is gone.' });
});
