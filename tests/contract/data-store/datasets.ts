import { describe, expect, it } from 'vitest';
import { datasetTag } from '../../../src/data-service/ports/capture-filter.ts';
import type { Dataset } from '../../../src/data-service/ports/dataset-store.ts';
import { anonymousReceipt, binaryRecord } from './captures.ts';
import type { Subject } from './store-under-test.ts';

export function describeDatasets(subject: Subject): void {
  const dataset = (id: string, changes: Partial<Dataset> = {}): Dataset => ({
    id,
    organizationId: 'org',
    name: `name-${id}`,
    type: 'binary',
    timeCreated: 5,
    ...changes,
  });

  describe('datasets', () => {
    it('have names of their own within an organization', async () => {
      const { datasets } = subject().store;
      await datasets.create(dataset('b', { name: 'x' }));
      await expect(datasets.create(dataset('a', { name: 'x' }))).rejects.toMatchObject({
        code: 'already-exists',
        subject: 'x',
      });
      await datasets.create(dataset('a', { name: 'w', type: 'sequence' }));
      await datasets.create(dataset('c', { name: 'x', organizationId: 'other' }));
      expect(await datasets.list('org')).toEqual([
        dataset('a', { name: 'w', type: 'sequence' }),
        dataset('b', { name: 'x' }),
      ]);
      expect(await datasets.get('org', ['b', 'c', 'z', 'a'])).toMatchObject([{ id: 'b' }, { id: 'a' }]);
    });

    it('are renamed to any free name, their own included', async () => {
      const { datasets } = subject().store;
      await datasets.create(dataset('a'));
      await datasets.create(dataset('b'));
      await datasets.rename('org', 'a', 'name-a');
      await expect(datasets.rename('org', 'a', 'name-b')).rejects.toMatchObject({
        code: 'already-exists',
        subject: 'name-b',
      });
      await expect(datasets.rename('other', 'a', 'n')).rejects.toMatchObject({ code: 'not-found', subject: 'a' });
      await datasets.rename('org', 'a', 'n');
      expect(await datasets.get('org', ['a'])).toEqual([dataset('a', { name: 'n' })]);
      await datasets.create(dataset('c', { name: 'name-a' }));
    });

    it('are deleted once empty', async () => {
      const { datasets, binary } = subject().store;
      await datasets.create(dataset('a'));
      await datasets.create(dataset('ab'));
      await binary.insert([binaryRecord('r', { tags: [datasetTag('a')] })], anonymousReceipt());
      await datasets.delete('org', 'ab');
      await expect(datasets.delete('org', 'a')).rejects.toMatchObject({ code: 'conflict', subject: 'a' });
      await binary.edit('org', ['r'], (record) => ({ ...record, tags: [] }));
      await expect(datasets.delete('other', 'a')).rejects.toMatchObject({ code: 'not-found' });
      await datasets.delete('org', 'a');
      await expect(datasets.delete('org', 'a')).rejects.toMatchObject({ code: 'not-found' });
      expect(await datasets.list('org')).toEqual([]);
    });

    it('are one of a name, of two made at the same time', async () => {
      const { datasets } = subject().store;
      const outcomes = await Promise.allSettled(['a', 'b'].map((id) => datasets.create(dataset(id, { name: 'x' }))));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });
  });
}
