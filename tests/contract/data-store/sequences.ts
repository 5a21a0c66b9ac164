import { describe, expect, it } from 'vitest';
import {
  sequencePosition,
  type Sequence,
  type SequenceFilter,
} from '../../../src/data-service/ports/sequence-store.ts';
import { idsOf } from './captures.ts';
import type { Subject } from './store-under-test.ts';

export const sequenceOf = (id: string, changes: Partial<Sequence> = {}): Sequence => ({
  id,
  organizationId: 'org',
  partId: 'part',
  resources: [{ resourceName: 'front', methodName: 'GetImages' }],
  tags: ['good'],
  start: 1_700_000_000_000_001,
  end: 1_700_000_030_000_000,
  timeCreated: 5,
  timeUpdated: 5,
  datasetIds: [],
  ...changes,
});

export const inDataset =
  (datasetId: string) =>
  (sequence: Sequence): Sequence => ({ ...sequence, datasetIds: [...sequence.datasetIds, datasetId] });

const all: SequenceFilter = { organizationId: 'org', datasetId: '' };

export function describeSequences(subject: Subject): void {
  describe('sequences', () => {
    const createDatasets = async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        const dataset = { id, organizationId: 'org', name: id, type: 'sequence', timeCreated: 1 } as const;
        await subject().store.datasets.create(dataset);
      }
    };

    it('are found by id in their own organization', async () => {
      const { sequences } = subject().store;
      const odd = sequenceOf('a', { tags: ['\0', 'x'.repeat(5000)], start: -1, end: 8.64e15 });
      await sequences.create(odd);
      expect(await sequences.get('org', 'a')).toEqual(odd);
      expect(await sequences.get('other', 'a')).toBeNull();
      expect(await sequences.get('org', 'nul\0')).toBeNull();
    });

    it('have ids of their own: the first of several who create one at once wins', async () => {
      const { sequences } = subject().store;
      const tags = Array.from({ length: 4 }, (_, n) => `tag-${n}`);
      const created = await Promise.allSettled(tags.map((tag) => sequences.create(sequenceOf('a', { tags: [tag] }))));
      const refused = created.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
      expect(refused).toHaveLength(3);
      for (const reason of refused) expect(reason).toMatchObject({ code: 'already-exists', subject: 'a' });
      const winner = created.findIndex(({ status }) => status === 'fulfilled');
      expect(await sequences.get('org', 'a')).toEqual(sequenceOf('a', { tags: [tags[winner]!] }));
    });

    it('are listed newest first, page by page', async () => {
      const { sequences } = subject().store;
      for (const [id, timeCreated] of Object.entries({ a: 1, c: 2, b: 2, d: 3 })) {
        await sequences.create(sequenceOf(id, { timeCreated }));
      }
      await sequences.create(sequenceOf('e', { organizationId: 'other' }));
      const first = await sequences.list(all, null, 2);
      expect(idsOf(first)).toEqual(['d', 'c']);
      expect(idsOf(await sequences.list(all, sequencePosition(first[1]!), 5))).toEqual(['b', 'a']);
      expect(await sequences.count(all)).toBe(4);
      expect(await sequences.count({ ...all, organizationId: 'none' })).toBe(0);
    });

    it('are edited all or none', async () => {
      const { sequences } = subject().store;
      await sequences.create(sequenceOf('a'));
      await sequences.create(sequenceOf('b', { organizationId: 'other' }));
      const retag = (one: Sequence): Sequence => ({ ...one, tags: ['bad'], timeUpdated: 9 });
      for (const missing of ['b', 'c']) {
        const edited = sequences.edit('org', ['a', missing, 'z'], retag);
        await expect(edited).rejects.toMatchObject({ code: 'not-found', subject: missing });
      }
      const refused = new Error('no');
      const throwing = sequences.edit('org', ['a'], () => {
        throw refused;
      });
      await expect(throwing).rejects.toBe(refused);
      expect(await sequences.get('org', 'a')).toEqual(sequenceOf('a'));
      await sequences.edit('org', ['a'], retag);
      expect(await sequences.get('org', 'a')).toEqual(sequenceOf('a', { tags: ['bad'], timeUpdated: 9 }));
    });

    it('are members of datasets that exist, and listed by them', async () => {
      const { sequences, datasets } = subject().store;
      await createDatasets('d1', 'd2');
      await datasets.create({ id: 'd3', organizationId: 'other', name: 'd3', type: 'sequence', timeCreated: 1 });
      for (const [id, timeCreated] of Object.entries({ a: 1, b: 2, c: 3 })) {
        await sequences.create(sequenceOf(id, { timeCreated }));
      }
      await sequences.edit('org', ['a', 'c'], inDataset('d1'));
      await sequences.edit('org', ['c', 'b'], inDataset('d2'));
      for (const missing of ['d3', 'none']) {
        const added = sequences.edit('org', ['b', 'a'], inDataset(missing));
        await expect(added).rejects.toMatchObject({ code: 'not-found', subject: missing });
      }
      const members = { ...all, datasetId: 'd1' };
      expect(idsOf(await sequences.list(members, null, 5))).toEqual(['c', 'a']);
      expect(idsOf(await sequences.list(members, { time: 3, id: 'c' }, 5))).toEqual(['a']);
      expect(await sequences.count(members)).toBe(2);
      expect(await sequences.count({ ...members, organizationId: 'other' })).toBe(0);
      await sequences.edit('org', ['c'], (one) => ({ ...one, datasetIds: ['d2'] }));
      await sequences.delete('org', 'a');
      expect(await sequences.list(members, null, 5)).toEqual([]);
      expect(idsOf(await sequences.list({ ...all, datasetId: 'd2' }, null, 5))).toEqual(['c', 'b']);
    });

    it('keep the datasets that they are members of', async () => {
      const { sequences, datasets } = subject().store;
      await createDatasets('d1');
      await sequences.create(sequenceOf('a'));
      await sequences.edit('org', ['a'], inDataset('d1'));
      await expect(datasets.delete('org', 'd1')).rejects.toMatchObject({ code: 'conflict', subject: 'd1' });
      await sequences.delete('org', 'a');
      expect(await sequences.count({ organizationId: 'org', datasetId: 'd1' })).toBe(0);
      await datasets.delete('org', 'd1');
    });

    it('are deleted once, from their own organization', async () => {
      const { sequences } = subject().store;
      await sequences.create(sequenceOf('a'));
      await expect(sequences.delete('other', 'a')).rejects.toMatchObject({ code: 'not-found', subject: 'a' });
      await sequences.delete('org', 'a');
      await expect(sequences.delete('org', 'a')).rejects.toMatchObject({ code: 'not-found', subject: 'a' });
      expect(await sequences.list(all, null, 5)).toEqual([]);
    });

    it('take every edit of several who edit at once', async () => {
      const { sequences } = subject().store;
      await sequences.create(sequenceOf('a', { tags: [] }));
      const names = Array.from({ length: 8 }, (_, n) => `tag-${n}`);
      const tag =
        (name: string) =>
        (one: Sequence): Sequence => ({ ...one, tags: [...one.tags, name] });
      await Promise.all(names.map((name) => sequences.edit('org', ['a'], tag(name))));
      expect([...(await sequences.get('org', 'a'))!.tags].sort()).toEqual(names);
    });
  });
}
