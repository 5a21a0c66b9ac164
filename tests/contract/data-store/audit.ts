import { describe, expect, it } from 'vitest';
import {
  serviceActor,
  type Actor,
  type AuditFilter,
  type AuditRow,
} from '../../../src/data-service/ports/audit-store.ts';
import type { ApiKey } from '../../../src/data-service/ports/access-store.ts';
import { datasetTag } from '../../../src/data-service/ports/capture-filter.ts';
import type { ChangingStores, DataStore } from '../../../src/data-service/ports/data-store.ts';
import { testNow } from './blobs.ts';
import { anonymousReceipt, binaryRecord, box, tabularFilter, tabularRow } from './captures.ts';
import { pipelineOf } from './example-pipeline.ts';
import { temperatureIndex } from './indexes.ts';
import { labelComment, labelScheme, labelTask } from './labels.ts';
import { sequenceOf } from './sequences.ts';
import type { Subject } from './store-under-test.ts';

const ada: Actor = { kind: 'key', id: 'ada', name: 'Ada’s laptop' };
const bob: Actor = { kind: 'key', id: 'bobsKey', name: 'Bob' };

export const auditFilter = (changes: Partial<AuditFilter> = {}): AuditFilter => ({
  each: true,
  organizationId: 'org',
  actor: null,
  what: '',
  objectId: '',
  interval: { start: null, end: null },
  ...changes,
});

const organization = { id: 'org', name: 'Org', timeCreated: 1 };
const location = { id: 'loc', organizationId: 'org', name: 'barn' };
const part = {
  id: 'part',
  name: 'main',
  robotId: 'r',
  robotName: 'rover',
  organizationId: 'org',
  locationId: 'loc',
} as const;
const secret = { algorithm: 'pbkdf2-sha256', iterations: 7, salt: Uint8Array.of(1), hash: Uint8Array.of(222) } as const;
const key: ApiKey = {
  id: 'k',
  name: 'lab',
  organizationId: 'org',
  locationId: 'loc',
  partId: 'part',
  role: 'owner',
  secret,
  timeCreated: 1,
};
const scram = { iterations: 3, salt: Uint8Array.of(1), storedKey: Uint8Array.of(2), serverKey: Uint8Array.of(3) };
const dataset = { id: 'd', organizationId: 'org', name: 'birds', type: 'binary', timeCreated: 5 } as const;
const query = { id: 'q', organizationId: 'org', name: 'hot', stages: [], timeCreated: 1, timeUpdated: 1 };
const sequenceFields = {
  partId: 'part',
  start: sequenceOf('s').start,
  end: sequenceOf('s').end,
  resources: '[{"resourceName":"front","methodName":"GetImages"}]',
  tags: '["good"]',
  datasetIds: '[]',
};
const taskFields = {
  task: 't',
  assignee: 'person:ada',
  state: 'open',
  datasetId: '',
  blind: true,
  boxes: '[]',
  reason: '',
};
const ofReadings = { locationIds: ['loc'], partId: 'part', methodName: 'Readings', tags: ['t'] };
const hotStore = temperatureIndex.collection;
const sinkIndex = { ...temperatureIndex, collection: { kind: 'pipeline-sink', pipelineId: 'p' } } as const;
const sinkFields = { collection: 'pipeline-sink', pipelineId: 'p', key: '{"data.readings.temp":1}', options: '{}' };

/** What each method that changes something leaves, in order: what, object, before and after. */
const changes: readonly (readonly [(store: ChangingStores) => Promise<unknown>, readonly unknown[]])[] = [
  [(s) => s.access.createOrganization(organization), ['organization', 'org', null, { name: 'Org', quotaBytes: null }]],
  [(s) => s.access.renameOrganization('org', 'New'), ['organization', 'org', { name: 'Org' }, { name: 'New' }]],
  [
    (s) =>
      s.access.noteRefusedLogIns({
        shown: { by: 'key', id: 'k', name: 'key', organizationId: 'org' },
        address: '1.2.3.4',
        times: 3,
      }),
    ['refused-log-in', 'k', null, { by: 'key', address: '1.2.3.4', times: 3 }],
  ],
  [(s) => s.access.setQuota('org', 9000), ['organization', 'org', { quotaBytes: null }, { quotaBytes: 9000 }]],
  [(s) => s.access.createLocation(location), ['location', 'loc', null, { name: 'barn' }]],
  [(s) => s.access.createPart(part), ['part', 'part', null, { name: 'main', robotName: 'rover', locationId: 'loc' }]],
  [(s) => s.access.deletePart('part'), ['part', 'part', { name: 'main', robotName: 'rover', locationId: 'loc' }, null]],
  [
    (s) => s.access.createKey(key),
    ['key', 'k', null, { name: 'lab', role: 'owner', locationId: 'loc', partId: 'part' }],
  ],
  [
    (s) => s.access.deleteKey('k'),
    ['key', 'k', { name: 'lab', role: 'owner', locationId: 'loc', partId: 'part' }, null],
  ],
  [
    (s) => s.access.putDatabaseUser({ organizationId: 'org', ...scram }),
    ['database-user', 'org', null, { password: 'set' }],
  ],
  [
    (s) => s.access.putDatabaseUser({ organizationId: 'org', ...scram }),
    ['database-user', 'org', {}, { password: 'replaced' }],
  ],
  [
    (s) => s.access.replaceInstallationSecret('signed-urls', Uint8Array.of(9)),
    ['secret', 'signed-urls', {}, { secret: 'replaced' }],
  ],
  [(s) => s.datasets.create(dataset), ['dataset', 'd', null, { name: 'birds', type: 'binary' }]],
  [(s) => s.datasets.rename('org', 'd', 'owls'), ['dataset', 'd', { name: 'birds' }, { name: 'owls' }]],
  [
    (s) => s.binary.edit('org', ['f'], (record) => ({ ...record, tags: ['old', datasetTag('d')] })),
    ['tags', 'f', { tags: ['gone'] }, { tags: [datasetTag('d')] }],
  ],
  [
    (s) => s.binary.edit('org', ['f'], (record) => ({ ...record, boundingBoxes: [box('cat'), box('dog')] })),
    ['boxes', 'f', { boxes: [] }, { boxes: [box('dog')] }],
  ],
  [
    (s) => s.binary.delete('org', ['f', 'f', 'none']),
    [
      'file',
      'f',
      {
        fileName: 'f.jpg',
        mimeType: 'image/jpeg',
        sizeBytes: 100,
        timeRequested: 4,
        partId: 'part',
        tags: ['old', datasetTag('d')],
        boxes: [box('cat'), box('dog')],
      },
      null,
    ],
  ],
  [(s) => s.datasets.delete('org', 'd'), ['dataset', 'd', { name: 'owls', type: 'binary' }, null]],
  [
    (s) => s.tabular.delete(tabularFilter({ ...ofReadings, interval: { start: 5, end: 50 } }), 1000),
    ['readings', '', { count: 1, ...ofReadings, start: 5, end: 50 }, null],
  ],
  [
    (s) => s.labels.addTasks([labelTask('t', { binaryDataId: 'h', isBlind: true, truth: [box('owl')] })]),
    ['task', 'h', null, taskFields],
  ],
  [
    (s) =>
      s.labels.editTasks('org', ['t'], ({ task, image }) => ({ task: { ...task, state: 'done', version: 2 }, image })),
    ['task', 'h', { state: 'open' }, { state: 'done' }],
  ],
  [
    (s) => s.labels.editTasks('org', ['t'], ({ image }) => ({ task: null, image })),
    ['task', 'h', { ...taskFields, state: 'done' }, null],
  ],
  [
    (s) => s.labels.addComment(labelComment('c', { binaryDataId: 'h' })),
    [
      'comment',
      'h',
      null,
      { comment: 'c', task: '', text: 'The handle is missing.', place: '{"x":0.25,"y":0.5}', resolved: false },
    ],
  ],
  [
    (s) => s.labels.editComment('org', 'h', 'c', (comment) => ({ ...comment, isResolved: true })),
    ['comment', 'h', { resolved: false }, { resolved: true }],
  ],
  [(s) => s.labels.putScheme(labelScheme(1, { datasetId: 'e', labels: [] })), ['scheme', 'e', null, { labels: '[]' }]],
  [
    (s) => s.labels.putScheme(labelScheme(2, { datasetId: 'e' })),
    ['scheme', 'e', { labels: '[]' }, { labels: JSON.stringify(labelScheme(2).labels) }],
  ],
  [
    (s) => s.labels.putScheme(labelScheme(3, { datasetId: 'e', pairs: [{ label: 'cup', modelLabel: 'mug' }] })),
    ['scheme', 'e', {}, { pairs: '[{"label":"cup","modelLabel":"mug"}]' }],
  ],
  [
    (s) => s.labels.putScheme(labelScheme(4, { datasetId: 'e' })),
    ['scheme', 'e', { pairs: '[{"label":"cup","modelLabel":"mug"}]' }, {}],
  ],
  [(s) => s.labels.deleteScheme('org', 'e'), ['scheme', 'e', { labels: JSON.stringify(labelScheme(2).labels) }, null]],
  [(s) => s.sequences.create(sequenceOf('s')), ['sequence', 's', null, sequenceFields]],
  [
    (s) => s.sequences.edit('org', ['s'], (one) => ({ ...one, tags: ['good', 'dusk'], timeUpdated: 9 })),
    ['sequence', 's', { tags: '["good"]' }, { tags: '["good","dusk"]' }],
  ],
  [(s) => s.sequences.delete('org', 's'), ['sequence', 's', { ...sequenceFields, tags: '["good","dusk"]' }, null]],
  [(s) => s.savedQueries.create(query), ['saved-query', 'q', null, { name: 'hot', stages: '[]' }]],
  [
    (s) => s.savedQueries.update('q', { ...query, name: 'cold', timeUpdated: 2 }),
    ['saved-query', 'q', { name: 'hot' }, { name: 'cold' }],
  ],
  [(s) => s.savedQueries.delete('q'), ['saved-query', 'q', { name: 'cold', stages: '[]' }, null]],
  [
    (s) => s.pipelines.create(pipelineOf('p', { stages: [] })),
    [
      'pipeline',
      'p',
      null,
      { name: 'name-p', schedule: '0 * * * *', enabled: true, backfill: false, source: 'standard', stages: '[]' },
    ],
  ],
  [
    (s) => s.pipelines.update('p', { enabled: false, timeUpdated: 7 }),
    ['pipeline', 'p', { enabled: true }, { enabled: false }],
  ],
  [(s) => s.indexes.create(sinkIndex), ['index', 'temp_1', null, sinkFields]],
  [(s) => s.indexes.delete('org', sinkIndex.collection, 'temp_1'), ['index', 'temp_1', sinkFields, null]],
  [
    (s) => s.pipelines.delete('p'),
    [
      'pipeline',
      'p',
      { name: 'name-p', schedule: '0 * * * *', enabled: false, backfill: false, source: 'standard', stages: '[]' },
      null,
    ],
  ],
  [
    (s) => s.indexes.create(temperatureIndex),
    ['index', 'temp_1', null, { collection: 'hot-store', key: '{"data.readings.temp":1}', options: '{}' }],
  ],
  [
    (s) => s.indexes.delete('org', hotStore, 'temp_1'),
    ['index', 'temp_1', { collection: 'hot-store', key: '{"data.readings.temp":1}', options: '{}' }, null],
  ],
];

export function describeAudit(subject: Subject): void {
  const rowsOf = async ({ audit }: DataStore, filter: Partial<AuditFilter> = {}): Promise<readonly AuditRow[]> =>
    audit.page(auditFilter(filter), null, 1000);
  const shortOf = ({ what, objectId, before, after }: AuditRow) => [what, objectId, before, after];

  async function fill({ as, binary, tabular }: DataStore): Promise<void> {
    const file = binaryRecord('f', { tags: ['old', 'gone'], boundingBoxes: [box('cat')], timeRequested: 4 });
    await binary.insert([file, binaryRecord('h')], anonymousReceipt());
    await as(null).datasets.create({ ...dataset, id: 'e', name: 'labelled' });
    await tabular.insert([tabularRow('r', { timeRequested: 10, tags: ['t'] })], anonymousReceipt());
    await as(null).access.createOrganization({ ...organization, id: 'other' });
  }

  /** Three changes a second, of Ada, Bob and the service, to objects in turn. */
  async function history(rows: number): Promise<void> {
    const { store, setTime } = subject();
    for (let n = 0; n < rows; n++) {
      await setTime(testNow + Math.floor(n / 3) * 1e6);
      const by = [store.as(ada), store.as(bob), store][n % 3]!;
      const id = `d${n % 5}`;
      const known = await store.datasets.get('org', [id]);
      if (known.length === 0) await by.datasets.create({ ...dataset, id, name: id });
      else await by.datasets.rename('org', id, `${id} ${n}`);
    }
  }

  describe('the audit', () => {
    it('has a row of each change, with what was otherwise', async () => {
      const { store, setTime } = subject();
      await setTime(testNow);
      await fill(store);
      const own = store.as(ada);
      for (const [change, row] of changes) {
        const before = await rowsOf(store);
        await change(own);
        const known = new Set(before.map(({ id }) => id));
        const added = (await rowsOf(store)).filter(({ id }) => !known.has(id));
        expect(added.map(shortOf)).toEqual([row]);
        expect(added[0]).toMatchObject({ organizationId: 'org', actor: ada, time: testNow });
      }
    });

    it('has no secret and no hash', async () => {
      const { store } = subject();
      await fill(store);
      for (const [change] of changes) await change(store);
      const text = JSON.stringify((await rowsOf(store)).map(({ before, after }) => [before, after]));
      for (const word of ['222', 'salt', 'storedKey', 'iterations']) expect(text).not.toContain(word);
    });

    it('has no row of what was refused, changed nothing, or is only copied', async () => {
      const { store } = subject();
      await fill(store);
      const own = store.as(ada);
      await own.datasets.create(dataset);
      const before = await rowsOf(store);
      await expect(own.datasets.create({ ...dataset, id: 'e' })).rejects.toMatchObject({ code: 'already-exists' });
      await expect(own.datasets.delete('org', 'none')).rejects.toMatchObject({ code: 'not-found' });
      const edit = own.binary.edit('org', ['f', 'none'], (record) => ({ ...record, tags: [] }));
      await expect(edit).rejects.toMatchObject({ code: 'not-found' });
      const failing = own.binary.edit('org', ['f'], () => {
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      await own.datasets.rename('org', 'd', 'birds');
      await own.binary.edit('org', ['f'], (record) => ({ ...record }));
      await own.binary.delete('org', ['none']);
      await own.tabular.delete(tabularFilter({ partId: 'none' }), 10);
      await store.as(null).binary.insert([binaryRecord('g', { tags: [datasetTag('d')] })], anonymousReceipt());
      await store.as(null).datasets.rename('org', 'd', 'moved');
      await store.as(null).binary.delete('org', ['g']);
      expect(await rowsOf(store)).toEqual(before);
    });

    it('has a row of the tags and datasets that an upload brings, and none of one without', async () => {
      const { store } = subject();
      await store.as(null).datasets.create(dataset);
      const { binary } = store.as(ada);
      const tags = ['night', datasetTag('d')];
      await binary.insert([binaryRecord('f'), binaryRecord('g', { tags })], anonymousReceipt());
      await binary.insert([binaryRecord('h', { boundingBoxes: [box('cat')] })], anonymousReceipt());
      const refused = binary.insert([binaryRecord('i', { tags: [datasetTag('none')] })], anonymousReceipt());
      await expect(refused).rejects.toMatchObject({ code: 'not-found' });
      const rows = await rowsOf(store);
      expect(rows.map(shortOf)).toEqual([['tags', 'g', { tags: [] }, { tags }]]);
      expect(rows[0]!.actor).toEqual(ada);
    });

    it('names the service where nobody is named', async () => {
      const { store } = subject();
      await store.datasets.create(dataset);
      expect((await rowsOf(store)).map(({ actor }) => actor)).toEqual([serviceActor]);
    });

    it('has a row of each object of one call', async () => {
      const { store } = subject();
      const ids = Array.from({ length: 40 }, (_, n) => `f${n}`);
      await store.binary.insert(
        ids.map((id) => binaryRecord(id)),
        anonymousReceipt(),
      );
      await store.as(ada).binary.edit('org', ids, (record) => ({ ...record, tags: ['t'] }));
      const rows = await rowsOf(store);
      expect(rows.map(({ objectId }) => objectId)).toEqual(ids.toReversed()); // the last change first
      expect(new Set(rows.map(({ id }) => id)).size).toBe(40);
    });

    it.each<readonly [string, Partial<AuditFilter>, (row: AuditRow) => boolean]>([
      ['an actor', { actor: ada }, ({ actor }) => actor.id === 'ada'],
      ['an actor without an id', { actor: serviceActor }, ({ actor }) => actor.kind === 'service'],
      ['nobody who is there', { actor: { kind: 'browser', id: 'ada' } }, () => false],
      ['a thing', { what: 'dataset' }, () => true],
      ['a thing that nobody changed', { what: 'key' }, () => false],
      ['an object', { objectId: 'd2' }, ({ objectId }) => objectId === 'd2'],
      ['an actor and a thing', { actor: bob, what: 'dataset' }, ({ actor }) => actor.id === 'bobsKey'],
      [
        'an actor and an object',
        { actor: bob, objectId: 'd1' },
        (row) => row.actor.id === 'bobsKey' && row.objectId === 'd1',
      ],
      [
        'a span',
        { interval: { start: testNow + 2e6, end: testNow + 4e6 } },
        ({ time }) => time >= testNow + 2e6 && time < testNow + 4e6,
      ],
      [
        'a span and an actor',
        { actor: ada, interval: { start: testNow + 3e6, end: null } },
        ({ actor, time }) => actor.id === 'ada' && time >= testNow + 3e6,
      ],
      ['another organization', { organizationId: 'other' }, () => false],
    ])('is read by %s, the newest first, in pages of any size', async (_, filter, matches) => {
      await history(24);
      const { store } = subject();
      const all = await rowsOf(store);
      expect(all).toHaveLength(24);
      expect(all.map(({ time }) => time)).toEqual(all.map(({ time }) => time).toSorted((a, b) => b - a));
      const wanted = all.filter(matches);
      for (const limit of [1, 3, 50]) {
        const found: AuditRow[] = [];
        for (;;) {
          const last = found.at(-1);
          const page = await store.audit.page(
            auditFilter(filter),
            last ? { time: last.time, id: last.id } : null,
            limit,
          );
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(found).toEqual(wanted);
      }
    });

    it('knows everyone who has changed something, under the newest name', async () => {
      await history(9);
      const { store, setTime } = subject();
      await setTime(testNow + 9e6);
      const renamed = { ...ada, name: 'Ada’s desk' };
      await store.as(renamed).datasets.rename('org', 'd0', 'last');
      await store.as(bob).datasets.create({ ...dataset, organizationId: 'other' });
      expect(await store.audit.actors('org')).toEqual([renamed, bob, serviceActor]);
      expect(await store.audit.actors('other')).toEqual([bob]);
      expect(await store.audit.actors('nobody')).toEqual([]);
    });

    it('forgets the oldest before a time, so many at once, of one organization', async () => {
      await history(9);
      const { store } = subject();
      await store.datasets.create({ ...dataset, organizationId: 'other' });
      const all = await rowsOf(store);
      expect(await store.audit.deleteBefore('org', testNow + 2e6, 4)).toBe(4);
      expect(await rowsOf(store)).toEqual(all.slice(0, 5));
      expect(await store.audit.deleteBefore('org', testNow + 2e6, 4)).toBe(2);
      expect(await store.audit.deleteBefore('org', testNow + 2e6, 4)).toBe(0);
      expect(await rowsOf(store)).toEqual(all.slice(0, 3));
      expect(await rowsOf(store, { organizationId: 'other' })).toHaveLength(1);
    });

    it('keeps what a clock dates that was never set', async () => {
      const { store, setTime } = subject();
      await setTime(5e6);
      await store.datasets.create(dataset);
      expect(await store.audit.deleteBefore('org', testNow, 10)).toBe(0);
      expect(await store.audit.deleteBefore('org', 0, 10)).toBe(0);
      expect(await rowsOf(store)).toHaveLength(1);
    });

    it('keeps odd texts, and is the same for others who have it open', async ({ skip }) => {
      const { store, openAgain } = subject();
      const odd: Actor = { kind: 'key', id: 'nul\0', name: '\ud800' };
      await store.as(odd).datasets.create({ ...dataset, id: 'x'.repeat(900), name: 'a\0b' });
      const rows = await rowsOf(store);
      expect(rows).toMatchObject([{ actor: odd, objectId: 'x'.repeat(900), objectName: 'a\0b' }]);
      expect(await rowsOf(store, { actor: odd, objectId: 'x'.repeat(900) })).toEqual(rows);
      if (openAgain === null) return skip();
      expect(await rowsOf(await openAgain())).toEqual(rows);
    });
  });
}
