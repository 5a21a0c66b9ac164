import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { anonymousReceipt, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { AuditService } from '../../gen/sightglass/audit/v1/audit_pb.ts';
import { deleteOutdated } from '../deletes/retention.ts';

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const auditOf = (who: 'owner' | 'operator' | 'local' | 'stranger') => service[who].of(AuditService);
const ofA = { organizationId: 'a' };
const date = (seconds: number) => timestampFromDate(new Date(startTime / 1000 + seconds * 1000));

/** A dataset a second, of owner and operator in turn. */
async function makeDatasets(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    service.time.now = startTime + (n + 1) * 1e6;
    await service[n % 2 === 0 ? 'owner' : 'operator'].datasets.createDataset({ ...ofA, name: `set ${n}` });
  }
}

const namesOf = async (request: object): Promise<string[]> =>
  (await auditOf('owner').listChanges({ ...ofA, what: 'dataset', ...request })).changes.map(
    (change) => change.objectName,
  );

describe('ListChanges', () => {
  it('says who changed what, and when', async () => {
    const image = await uploadPicture(service.owner, { tags: ['cup'] });
    service.time.now = startTime + 5e6;
    await service.operator.data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['mug'] });
    const { changes } = await auditOf('owner').listChanges({ ...ofA, objectId: image });
    expect(changes).toMatchObject([
      {
        what: 'tags',
        objectId: image,
        actor: { kind: 'key', id: service.keys.operator.id, name: 'operator' },
        time: date(5),
        before: { tags: [] },
        after: { tags: ['mug'] },
        count: 0,
      },
      { what: 'tags', objectId: image, actor: { name: 'owner' }, time: date(0), after: { tags: ['cup'] } },
    ]);
  });

  it('tells what is new from what is gone', async () => {
    const { id } = await service.owner.datasets.createDataset({ ...ofA, name: 'cups' });
    service.time.now += 1;
    await service.owner.datasets.deleteDataset({ id });
    const { changes } = await auditOf('owner').listChanges({ ...ofA, what: 'dataset' });
    expect(changes.map(({ before, after }) => [before?.['name'], after?.['name']])).toEqual([
      ['cups', undefined],
      [undefined, 'cups'],
    ]);
  });

  it('pages from the newest on', async () => {
    await makeDatasets(5);
    const found: string[] = [];
    for (let pageToken = ''; ;) {
      const page = await auditOf('owner').listChanges({ ...ofA, what: 'dataset', pageSize: 2, pageToken });
      found.push(...page.changes.map(({ objectName }) => objectName));
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(found).toEqual(['set 4', 'set 3', 'set 2', 'set 1', 'set 0']);
  });

  it.each(['new', 'gone'])(
    'ends a page that would be too long, of what is %s, and goes on with the next',
    async (which) => {
      const { datasets } = service.dependencies.store;
      const name = 'x'.repeat(1_500_000);
      const ids = Array.from({ length: 6 }, (_, n) => `long-${n}`);
      for (const [n, id] of ids.entries()) {
        service.time.now += 1e6;
        await datasets.create({ id, ...ofA, name: `${n} ${name}`, type: 'binary', timeCreated: n });
      }
      const [start, end] = which === 'new' ? [date(0), date(7)] : [date(7), date(20)];
      for (const id of ids) {
        service.time.now += 1e6;
        await datasets.delete('a', id);
      }
      const pages: string[][] = [];
      for (let pageToken = ''; pages.length < 10;) {
        const page = await auditOf('owner').listChanges({ ...ofA, what: 'dataset', start, end, pageToken });
        pages.push(page.changes.map(({ objectName }) => objectName[0]!));
        pageToken = page.nextPageToken;
        if (pageToken === '') break;
      }
      expect(pages).toEqual([
        ['5', '4'],
        ['3', '2'],
        ['1', '0'],
      ]);
    },
  );

  it('is filtered by who and when', async () => {
    await makeDatasets(4);
    const { operator } = service.keys;
    expect(await namesOf({ actorKind: 'key', actorId: operator.id })).toEqual(['set 3', 'set 1']);
    expect(await namesOf({ start: date(2), end: date(4) })).toEqual(['set 2', 'set 1']);
    expect(await namesOf({ actorKind: 'service' })).toEqual([]);
  });

  it.each([
    [{ what: 'weather' }, 'InvalidArgument'],
    [{ actorId: 'x' }, 'InvalidArgument'],
    [{ pageToken: 'x' }, 'InvalidArgument'],
    [{ organizationId: 'b' }, 'PermissionDenied'],
    [{ organizationId: '' }, 'InvalidArgument'],
  ])('refuses %j', async (request, code) => {
    expect(await codeOf(auditOf('owner').listChanges({ ...ofA, ...request }))).toBe(code);
  });

  it('refuses a thing in few words, however long it is', async () => {
    const refused = auditOf('owner').listChanges({ ...ofA, what: 'x'.repeat(10_000) });
    await expect(refused).rejects.toThrow(/^.{1,600}$/);
  });

  it('shows a key of one location the files of that location, and no more', async () => {
    const [inLab, inYard] = [
      await uploadPicture(service.owner),
      await uploadPicture(service.local, { partId: 'yard-part' }),
    ];
    for (const id of [inLab, inYard])
      await service.owner.data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: ['mug'] });
    const ask = (objectId: string) => auditOf('local').listChanges({ ...ofA, objectId });
    expect((await ask(inYard)).changes).toHaveLength(1);
    for (const id of [inLab, '', 'signed-urls']) expect(await codeOf(ask(id))).toBe('PermissionDenied');
    expect(await codeOf(auditOf('local').listActors(ofA))).toBe('PermissionDenied');
  });
});

it('says in one row how much a call has changed, in however many turns, and each change by itself where it is asked', async () => {
  const rows = Array.from({ length: 4100 }, (_, n) =>
    tabularRow(`r${n}`, { organizationId: 'a', locationId: 'lab', timeRequested: startTime + n }),
  );
  await service.dependencies.store.tabular.insert(rows, anonymousReceipt());
  const ids = [];
  for (let n = 0; n < 120; n++) ids.push(await uploadPicture(service.local, { partId: 'yard-part' }));
  service.time.now = startTime + 5e6;
  const filter = { organizationIds: ['a'] };
  await service.owner.data.addTagsToBinaryDataByFilter({ filter, tags: ['mug'] });
  await service.owner.data.deleteBinaryDataByFilter({ filter });
  await service.owner.data.deleteTabularData(ofA);
  const list = async (request: object) =>
    (await auditOf('owner').listChanges({ ...ofA, start: date(5), ...request })).changes;
  const short = (await list({})).map(({ what, count, before, after }) => [what, count, before, after]);
  expect(short).toHaveLength(3);
  expect(short).toEqual(
    expect.arrayContaining([
      ['tags', 120, { tags: [] }, { tags: ['mug'] }],
      ['file', 120, expect.objectContaining({ sizeBytes: 720, tags: ['mug'] }), undefined],
      ['readings', 0, { count: 4100 }, undefined],
    ]),
  );
  const singly = await list({ what: 'file', each: true, pageSize: 1000 });
  expect(singly.map(({ objectId }) => objectId).toSorted()).toEqual(ids.toSorted());
});

it('lists who has changed something', async () => {
  await makeDatasets(2);
  const { actors } = await auditOf('operator').listActors(ofA);
  const { owner, operator } = service.keys;
  const keys = [
    { kind: 'key', id: owner.id, name: 'owner' },
    { kind: 'key', id: operator.id, name: 'operator' },
  ];
  expect(actors).toMatchObject([...keys, { kind: 'service', id: '' }]);
  expect(await codeOf(auditOf('owner').listActors({ organizationId: 'b' }))).toBe('PermissionDenied');
});

it('lists a thousand of those who have changed something, and no more', async () => {
  const { store } = service.dependencies;
  for (let n = 0; n < 1001; n++) {
    const by = store.as({ kind: 'key', id: `k${n}`, name: `key ${n}` });
    await by.datasets.create({ id: `d${n}`, ...ofA, name: `set ${n}`, type: 'binary', timeCreated: n });
  }
  expect((await auditOf('owner').listActors(ofA)).actors).toHaveLength(1000);
});

it('keeps rows by a rule of their own, and says what the other rules deleted', async () => {
  const dayMs = 86_400_000;
  const { signal } = new AbortController();
  await uploadPicture(service.owner);
  await uploadPicture(service.owner);
  await makeDatasets(2);
  service.time.now = startTime + 100 * dayMs * 1000;
  await deleteOutdated(service.dependencies, { filesMs: dayMs, readingsMs: null, auditMs: null }, signal);
  const { changes } = await auditOf('owner').listChanges({ ...ofA, what: 'file' });
  expect(changes).toMatchObject([{ actor: { kind: 'service' }, count: 2 }]);
  expect(await namesOf({})).toHaveLength(2);
  await deleteOutdated(service.dependencies, { filesMs: null, readingsMs: null, auditMs: dayMs }, signal);
  expect(await namesOf({})).toEqual([]);
  expect((await auditOf('owner').listChanges(ofA)).changes).toHaveLength(1);
});
