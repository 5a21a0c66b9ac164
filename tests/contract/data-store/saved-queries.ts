import { expect, it } from 'vitest';
import type { SavedQuery } from '../../../src/data-service/ports/saved-query-store.ts';
import type { Subject } from './store-under-test.ts';

export function describeSavedQueries(subject: Subject): void {
  const saved = (id: string, changes: Partial<SavedQuery> = {}): SavedQuery => ({
    id,
    organizationId: 'org',
    name: `name-${id}`,
    stages: [Uint8Array.of(5, 0)],
    timeCreated: 1,
    timeUpdated: 1,
    ...changes,
  });

  it('saved queries have names of their own, newest first', async () => {
    const { savedQueries } = subject().store;
    await savedQueries.create(saved('a', { timeCreated: 1 }));
    await savedQueries.create(saved('b', { timeCreated: 2 }));
    await savedQueries.create(saved('c', { timeCreated: 2 }));
    await savedQueries.create(saved('d', { organizationId: 'other', name: 'name-a' }));
    const twin = savedQueries.create(saved('e', { name: 'name-a' }));
    await expect(twin).rejects.toMatchObject({ code: 'already-exists', subject: 'name-a' });
    expect((await savedQueries.list('org', 2)).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(await savedQueries.getByName('org', 'name-a')).toEqual(saved('a', { timeCreated: 1 }));
    expect(await savedQueries.getByName('other', 'name-b')).toBeNull();

    const stages = [Uint8Array.of(1), Uint8Array.of(2)];
    await savedQueries.update('a', { name: 'name-a', stages, timeUpdated: 9 });
    expect(await savedQueries.get('a')).toEqual(saved('a', { stages, timeUpdated: 9 }));
    const taken = savedQueries.update('a', { name: 'name-b', stages, timeUpdated: 9 });
    await expect(taken).rejects.toMatchObject({ code: 'already-exists', subject: 'name-b' });
    const unknown = savedQueries.update('x', { name: 'n', stages, timeUpdated: 9 });
    await expect(unknown).rejects.toMatchObject({ code: 'not-found', subject: 'x' });
    await savedQueries.delete('a');
    expect(await savedQueries.get('a')).toBeNull();
    await expect(savedQueries.delete('a')).rejects.toMatchObject({ code: 'not-found', subject: 'a' });
  });
}
