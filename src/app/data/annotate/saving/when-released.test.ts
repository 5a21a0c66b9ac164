import { expect, it } from 'vitest';
import { whenReleased } from './when-released.ts';

/** A lock manager in which these names are held, and one waits; `release` ends the work under all of them. */
function locksWith(held: readonly string[], pending: readonly string[]) {
  const asked: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const named = (names: readonly string[]) => names.map((name) => ({ name }));
  const locks = {
    query: async () => ({ held: named(held), pending: named(pending) }),
    request: async (name: string, work: () => unknown) => {
      asked.push(name);
      await released;
      return work();
    },
  };
  return { locks: locks as unknown as LockManager, asked, release };
}

it('waits for the work under names with the prefix, and for no other', async () => {
  const { locks, asked, release } = locksWith(['boxes:a', 'outbox'], ['boxes:a', 'boxes:b']);
  let isDone = false;
  const waiting = whenReleased(locks, 'boxes:').then(() => (isDone = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked, isDone]).toEqual([['boxes:a', 'boxes:b'], false]);
  release();
  await waiting;
});

it('is done at once where nothing is under way, or the browser knows no locks', async () => {
  await whenReleased(locksWith(['outbox'], []).locks, 'boxes:');
  await whenReleased(undefined, 'boxes:');
});
