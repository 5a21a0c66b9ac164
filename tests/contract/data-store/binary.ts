import { describe, expect, it } from 'vitest';
import type { BinaryFilter, Position } from '../../../src/data-service/ports/capture-filter.ts';
import { datasetTag, positionOf } from '../../../src/data-service/ports/capture-filter.ts';
import { anonymousReceipt, binaryFilter, binaryRecord, box, clientReceipt, idsOf, scanOf } from './captures.ts';
import type { Subject } from './store-under-test.ts';

export function describeBinary(subject: Subject): void {
  const binary = () => subject().store.binary;
  const insert = (...records: readonly ReturnType<typeof binaryRecord>[]) =>
    binary().insert(records, anonymousReceipt());
  const createDataset = (id: string, organizationId = 'org') =>
    subject().store.datasets.create({ id, organizationId, name: id, type: 'binary', timeCreated: 1 });

  describe('binary records', () => {
    it('come back as they were put, bytes of parameters included', async () => {
      const record = binaryRecord('a', {
        tags: ['', 'ünï', 'SVC_DATASET_d'],
        boundingBoxes: [box('dog'), { ...box('cat'), confidence: 0.25 }],
        classifications: [{ id: 'c', label: 'indoor', confidence: null }],
      });
      await createDataset('d');
      await insert(record);
      expect(await binary().get('org', ['a'])).toEqual([record]);
      expect(await binary().page(scanOf(binaryFilter()))).toEqual([record]);
    });

    it('are found in the order of the ids, null for each that is not there or not theirs', async () => {
      await insert(binaryRecord('a'), binaryRecord('b', { organizationId: 'other' }), binaryRecord('c'));
      const found = await binary().get('org', ['c', 'b', 'x', 'a', 'c']);
      expect(found.map((record) => record?.id ?? null)).toEqual(['c', null, null, 'a', 'c']);
    });

    it.each(['ascending', 'descending'] as const)(
      'page %s by time, then id, through every record once',
      async (order) => {
        const places = ['p', 'q', 'r'].map((partId) => ({ partId, tags: partId === 'q' ? ['t', 'u'] : ['t'] }));
        const records = Array.from({ length: 60 }, (_, n) =>
          binaryRecord(`id-${String((n * 37) % 60).padStart(2, '0')}`, {
            timeRequested: Math.floor(n / 4),
            ...places[n % 3],
          }),
        );
        await insert(...records);
        const sign = order === 'ascending' ? 1 : -1;
        const expected = [...records].sort(
          (a, b) => sign * (a.timeRequested - b.timeRequested || (a.id < b.id ? -1 : 1)),
        );
        for (const [filter, size] of [
          [binaryFilter(), 7],
          [binaryFilter({ tags: ['u', 't'] }), 7],
          [binaryFilter({ tags: ['t'] }), 1000],
        ] as const) {
          const seen: string[] = [];
          let after: Position | null = null;
          for (;;) {
            const page = await binary().page({ filter, order, after, limit: size });
            seen.push(...idsOf(page));
            if (page.length < size) break;
            after = positionOf(page.at(-1)!);
          }
          expect(seen).toEqual(idsOf(expected));
        }
      },
    );

    it('neither repeat nor lose a record when others are inserted between pages', async () => {
      await insert(...[10, 20, 30, 40].map((time) => binaryRecord(`at-${time}`, { timeRequested: time })));
      const filter = binaryFilter();
      const first = await binary().page(scanOf(filter, { order: 'descending', limit: 2 }));
      expect(idsOf(first)).toEqual(['at-40', 'at-30']);
      await insert(binaryRecord('at-50', { timeRequested: 50 }), binaryRecord('at-25', { timeRequested: 25 }));
      const after = positionOf(first[1]!);
      const second = await binary().page(scanOf(filter, { order: 'descending', limit: 10, after }));
      expect(idsOf(second)).toEqual(['at-25', 'at-20', 'at-10']);
    });

    const filters: readonly [string, Partial<BinaryFilter>, readonly string[]][] = [
      ['nothing', {}, ['bare', 'plain', 'video']],
      ['internal data too', { includeInternal: true }, ['bare', 'hidden', 'plain', 'video']],
      ['a location', { locationIds: ['loc-2', 'loc-3'] }, ['video']],
      ['a robot', { robotId: 'robot-2' }, ['video']],
      ['a robot name', { robotName: 'arm' }, ['video']],
      ['a part', { partId: 'part-2' }, ['video']],
      ['a part name', { partName: 'arm-main' }, ['video']],
      ['a component', { componentName: 'back', componentType: 'rdk:component:camera' }, ['video']],
      ['a method', { methodName: 'GetImages' }, ['video']],
      ['MIME types', { mimeTypes: ['video/mp4', 'image/png'] }, ['video']],
      ['a time', { interval: { start: 2, end: 3 } }, ['plain']],
      ['an open start', { interval: { start: null, end: 2 } }, ['bare']],
      ['an empty interval', { interval: { start: 3, end: 3 } }, []],
      ['an interval that ends before it starts', { interval: { start: 3, end: 1 } }, []],
      ['any of the tags', { tags: ['red', 'blue'] }, ['plain', 'video']],
      ['an unknown tag', { tags: ['re'] }, []],
      ['tagged', { tagged: 'tagged' }, ['plain', 'video']],
      ['untagged', { tagged: 'untagged' }, ['bare']],
      ['a box label', { boxLabels: ['dog', 'cat'] }, ['bare', 'plain']],
      ['a tag and a label', { tags: ['red'], boxLabels: ['dog'] }, ['plain']],
      ['a dataset', { datasetId: 'd' }, ['video']],
      ['a dataset and a tag', { datasetId: 'd', tags: ['red'] }, []],
      ['a dataset of no one', { datasetId: 'x' }, []],
      ['another organization', { organizationId: 'other', includeInternal: true }, ['foreign']],
    ];
    it.each(filters)('are filtered by %s', async (_, changes, expected) => {
      await createDataset('d');
      await insert(
        binaryRecord('bare', { timeRequested: 1, boundingBoxes: [box('dog'), box('dog')], sizeBytes: 1 }),
        binaryRecord('plain', { timeRequested: 2, tags: ['red', 'green'], boundingBoxes: [box('dog')], sizeBytes: 2 }),
        binaryRecord('video', {
          timeRequested: 3,
          tags: ['blue', datasetTag('d')],
          locationId: 'loc-2',
          robotId: 'robot-2',
          sizeBytes: 4,
          robotName: 'arm',
          partId: 'part-2',
          partName: 'arm-main',
          componentName: 'back',
          methodName: 'GetImages',
          mimeType: 'video/mp4',
        }),
        binaryRecord('hidden', { timeRequested: 4, internal: true, sizeBytes: 8 }),
        binaryRecord('foreign', { timeRequested: 5, organizationId: 'other', tags: ['red'], sizeBytes: 16 }),
      );
      const filter = binaryFilter(changes);
      const page = await binary().page(scanOf(filter));
      expect(idsOf(page).toSorted()).toEqual(expected);
      const totalSizeBytes = page.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
      expect(await binary().summarize(filter)).toEqual({ count: expected.length, totalSizeBytes });
      const tags = new Set(page.flatMap((record) => record.tags));
      expect(await binary().distinctTags(filter)).toEqual([...tags].sort());
      const labels = new Set(page.flatMap(({ boundingBoxes }) => boundingBoxes.map(({ label }) => label)));
      expect(await binary().distinctBoxLabels(filter)).toEqual([...labels].sort());
    });

    it('of rare streams are found among many others', async () => {
      const many = Array.from({ length: 150 }, (_, n) =>
        binaryRecord(`id-${n}`, { timeRequested: n, componentName: `camera-${n}` }),
      );
      await insert(...many);
      expect(idsOf(await binary().page(scanOf(binaryFilter(), { limit: 3 })))).toEqual(['id-0', 'id-1', 'id-2']);
      expect(idsOf(await binary().page(scanOf(binaryFilter({ componentName: 'camera-149' }))))).toEqual(['id-149']);
      expect(await binary().summarize(binaryFilter())).toEqual({ count: 150, totalSizeBytes: 15_000 });
    });

    it('are edited all or not at all', async () => {
      await insert(
        binaryRecord('a', { tags: ['old'] }),
        binaryRecord('b'),
        binaryRecord('c', { organizationId: 'other' }),
      );
      const edited = await binary().edit('org', ['b', 'a'], (record) => ({
        ...record,
        tags: ['new'],
        boundingBoxes: [box('dog')],
      }));
      expect(edited.map(({ before, after }) => [before.id, before.tags, after.tags])).toEqual([
        ['b', [], ['new']],
        ['a', ['old'], ['new']],
      ]);
      expect(idsOf(await binary().page(scanOf(binaryFilter({ tags: ['old'] }))))).toEqual([]);
      expect(idsOf(await binary().page(scanOf(binaryFilter({ tags: ['new'] }))))).toEqual(['a', 'b']);
      expect(idsOf(await binary().page(scanOf(binaryFilter({ tagged: 'untagged' }))))).toEqual([]);
      expect(await binary().distinctBoxLabels(binaryFilter())).toEqual(['dog']);

      const clear = (record: ReturnType<typeof binaryRecord>) => ({ ...record, tags: [] });
      await expect(binary().edit('org', ['a', 'c'], clear)).rejects.toMatchObject({ code: 'not-found', subject: 'c' });
      await expect(binary().edit('org', ['a', 'x'], clear)).rejects.toMatchObject({ code: 'not-found', subject: 'x' });
      expect(idsOf(await binary().page(scanOf(binaryFilter({ tags: ['new'] }))))).toEqual(['a', 'b']);
    });

    it('stay as they were when an edit throws, and what it threw reaches the caller', async () => {
      await insert(binaryRecord('a'), binaryRecord('b'));
      const refusal = new Error('no box of that id');
      const edit = binary().edit('org', ['a', 'b'], (record) => {
        if (record.id === 'b') throw refusal;
        return { ...record, tags: ['half'] };
      });
      await expect(edit).rejects.toBe(refusal);
      expect(await binary().distinctTags(binaryFilter())).toEqual([]);
      expect((await binary().get('org', ['a']))[0]!.tags).toEqual([]);
    });

    it('lose no edit to one at the same time', async () => {
      await insert(binaryRecord('a'));
      const names = Array.from({ length: 20 }, (_, n) => `tag-${String(n).padStart(2, '0')}`);
      await Promise.all(
        names.map((name) => binary().edit('org', ['a'], (record) => ({ ...record, tags: [...record.tags, name] }))),
      );
      expect((await binary().get('org', ['a']))[0]!.tags.toSorted()).toEqual(names);
      expect(await binary().distinctTags(binaryFilter())).toEqual(names);
    });

    it('join only datasets of their own organization', async () => {
      await createDataset('theirs', 'other');
      await createDataset('ours');
      const stranger = binaryRecord('b', { tags: [datasetTag('theirs')] });
      await expect(insert(binaryRecord('a'), stranger)).rejects.toMatchObject({ code: 'not-found', subject: 'theirs' });
      expect(await binary().get('org', ['a', 'b'])).toEqual([null, null]);

      await insert(binaryRecord('a', { tags: [datasetTag('ours')] }));
      const join = (id: string) =>
        binary().edit('org', ['a'], (record) => ({ ...record, tags: [...record.tags, datasetTag(id)] }));
      await expect(join('x')).rejects.toMatchObject({ code: 'not-found', subject: 'x' });
      expect(idsOf(await binary().page(scanOf(binaryFilter({ datasetId: 'ours' }))))).toEqual(['a']);
    });

    it('are stored once under the id of their upload', async () => {
      const receipt = clientReceipt('up-1');
      await binary().insert([binaryRecord('a')], receipt);
      const again = binary().insert([binaryRecord('b')], { ...receipt, binaryDataId: 'b' });
      await expect(again).rejects.toMatchObject({ code: 'already-exists', subject: 'up-1' });
      expect(await binary().get('org', ['b'])).toEqual([null]);
      expect(await subject().store.receipts.get('org', 'up-1')).toEqual(receipt);
      expect(await subject().store.receipts.get('other', 'up-1')).toBeNull();
      await binary().insert(
        [binaryRecord('c', { organizationId: 'other' })],
        clientReceipt('up-1', { organizationId: 'other' }),
      );
    });

    it('are stored by one of two uploads of the same id at the same time', async () => {
      const outcomes = await Promise.allSettled(
        ['a', 'b', 'c'].map((id) => binary().insert([binaryRecord(id)], clientReceipt('up-1', { binaryDataId: id }))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const kept = await binary().page(scanOf(binaryFilter()));
      expect(idsOf(kept)).toEqual([(await subject().store.receipts.get('org', 'up-1'))!.binaryDataId]);
    });

    it('keep only receipts that a client named, and forget the old ones', async () => {
      await binary().insert([binaryRecord('a')], clientReceipt('service', { fromClient: false }));
      await binary().insert([binaryRecord('b')], clientReceipt('old', { timeSynced: 10 }));
      await binary().insert([binaryRecord('c')], clientReceipt('new', { timeSynced: 11 }));
      const { receipts } = subject().store;
      expect(await receipts.get('org', 'service')).toBeNull();
      expect(await receipts.deleteBefore(11)).toBe(1);
      expect(await receipts.get('org', 'old')).toBeNull();
      expect(await receipts.get('org', 'new')).not.toBeNull();
    });

    it('are deleted and returned, those that are there', async () => {
      const tagged = binaryRecord('a', { tags: ['t'], boundingBoxes: [box('dog')] });
      await insert(tagged, binaryRecord('b'), binaryRecord('c', { organizationId: 'other' }));
      expect(await binary().delete('org', ['a', 'x', 'c', 'a'])).toEqual([tagged]);
      expect(await binary().delete('org', ['a'])).toEqual([]);
      expect(idsOf(await binary().page(scanOf(binaryFilter())))).toEqual(['b']);
      expect(await binary().distinctTags(binaryFilter())).toEqual([]);
      expect(await binary().summarize(binaryFilter({ boxLabels: ['dog'] }))).toEqual({ count: 0, totalSizeBytes: 0 });
      await insert(tagged);
      expect(idsOf(await binary().page(scanOf(binaryFilter({ tags: ['t'] }))))).toEqual(['a']);
    });

    it('tell which blobs nobody owns', async () => {
      await insert(binaryRecord('a'), binaryRecord('b', { organizationId: 'other' }));
      await binary().delete('org', ['a']);
      expect(await binary().unownedBlobs(['blob-of-a', 'blob-of-b', 'x'])).toEqual(['blob-of-a', 'x']);
    });
  });
}
