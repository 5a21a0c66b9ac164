import { expect, it } from 'vitest';
import type { Member } from '../ports/people-store.ts';
import { seenLast } from './seen-last.ts';

it('chooses the membership that was used last, and one that was never used after all others', async () => {
  const members = (...seen: readonly (number | null)[]) => ({
    listMembers: async () => seen.map((timeSeen, at) => ({ id: `${at}`, timeSeen }) as Member),
  });
  expect((await seenLast(members(null, 1, 3, 2), 'ada'))?.id).toBe('2');
  expect(await seenLast(members(), 'ada')).toBeNull();
});
