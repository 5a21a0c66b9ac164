import { expect, it } from 'vitest';
import type { Deletion } from '../../../src/data-service/ports/deletion-store.ts';
import { binaryFilter, tabularFilter } from './captures.ts';
import { ada } from './labels.ts';
import type { Subject } from './store-under-test.ts';

export const deletionOf = (id: string, changes: Partial<Deletion> = {}): Deletion => ({
  id,
  organizationId: 'org',
  filter: tabularFilter({ interval: { start: null, end: 5 }, tags: ['t \0'] }),
  syncedUntil: 9,
  actor: ada,
  timeStarted: 1,
  total: 7,
  deleted: 2,
  ...changes,
});

export function describeDeletions(subject: Subject): void {
  it('deletions that go on are kept with how far they are', async ({ skip }) => {
    const { deletions } = subject().store;
    if (deletions === null) return skip('callers of this store wait for the end of what they delete');
    const [first, second] = [
      deletionOf('b'),
      deletionOf('a', { timeStarted: 2, filter: binaryFilter({ boxLabels: ['cup'] }) }),
    ];
    const foreign = deletionOf('c', { organizationId: 'other' });
    for (const deletion of [second, foreign, first]) await deletions.put(deletion);
    expect(await deletions.list('org')).toEqual([first, second]);
    expect(await deletions.list(null)).toEqual([first, foreign, second]);
    await deletions.put({ ...first, deleted: 5 });
    await deletions.remove(second);
    await deletions.remove(second);
    expect(await deletions.list('org')).toEqual([{ ...first, deleted: 5 }]);
  });
}
