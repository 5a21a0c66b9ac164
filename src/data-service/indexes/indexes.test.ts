import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { codeOf, startDataService, startTime, type TestService } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { IndexableCollection, IndexCreator } from '../../gen/app/data/v1/data_pb.ts';
import { AuditService } from '../../gen/sightglass/audit/v1/audit_pb.ts';

const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const hotStore = { organizationId: 'a', collectionType: IndexableCollection.HOT_STORE };
const sink = { organizationId: 'a', collectionType: IndexableCollection.PIPELINE_SINK };

async function listed({ owner }: TestService, collection: object = hotStore) {
  const { indexes } = await owner.data.listIndexes(collection);
  return indexes.map(({ indexName, indexSpec, createdBy }) => ({
    name: indexName,
    spec: indexSpec.map((part) => JSON.parse(new TextDecoder().decode(part)) as unknown),
    createdBy,
  }));
}

describe('CreateIndex', () => {
  const written: readonly [string, Uint8Array[], string, unknown][] = [
    ['JSON text of the key', [text({ part_id: 1 })], 'part_id_1', { part_id: 1 }],
    ['JSON text of key and options', [text({ part_id: -1 }), text({ name: 'parts' })], 'parts', { part_id: -1 }],
    [
      'BSON of keys and options',
      [serialize({ keys: { a: 1, 'b.c': -1 }, options: {} })],
      'a_1_b.c_-1',
      { a: 1, 'b.c': -1 },
    ],
    ['BSON of key and options', [serialize({ key: { a: 1 }, options: { name: 'mine' } })], 'mine', { a: 1 }],
    [
      'BSON of the key itself',
      [serialize({ 'data.readings.temp': 1 })],
      'data.readings.temp_1',
      { 'data.readings.temp': 1 },
    ],
    ['BSON of a field named key', [serialize({ key: 1 })], 'key_1', { key: 1 }],
    ['harmless options', [text({ a: 1 }), text({ background: true, unique: false, sparse: true })], 'a_1', { a: 1 }],
  ];
  it.each(written)('reads %s', async (_, indexSpec, name, key) => {
    const service = await startDataService();
    await service.owner.data.createIndex({ ...hotStore, indexSpec });
    expect(await listed(service)).toMatchObject([{ name, spec: [key, { name }], createdBy: IndexCreator.CUSTOMER }]);
  });

  const refused: readonly [string, object, string][] = [
    ['no specification', { indexSpec: [] }, 'InvalidArgument'],
    ['three elements', { indexSpec: [text({ a: 1 }), text({}), text({})] }, 'InvalidArgument'],
    ['bytes that are neither BSON nor JSON', { indexSpec: [new Uint8Array([1, 2, 3])] }, 'InvalidArgument'],
    ['an empty key', { indexSpec: [text({})] }, 'InvalidArgument'],
    ['a geospatial key', { indexSpec: [text({ place: '2dsphere' })] }, 'InvalidArgument'],
    ['a direction of 0', { indexSpec: [text({ a: 0 })] }, 'InvalidArgument'],
    ['a unique index', { indexSpec: [text({ a: 1 }), text({ unique: true })] }, 'InvalidArgument'],
    ['an option that MongoDB does not know', { indexSpec: [text({ a: 1 }), text({ priority: 5 })] }, 'InvalidArgument'],
    ['one such that is off', { indexSpec: [text({ a: 1 }), text({ priority: false })] }, 'InvalidArgument'],
    ['no collection', { collectionType: IndexableCollection.UNSPECIFIED }, 'InvalidArgument'],
    ['a sink without its pipeline', sink, 'InvalidArgument'],
    ['a sink of an unknown pipeline', { ...sink, pipelineName: 'none' }, 'NotFound'],
    ['a name that is taken', { indexSpec: [text({ taken: 1 })] }, 'AlreadyExists'],
    ['another organization', { organizationId: 'b' }, 'PermissionDenied'],
  ];
  it.each(refused)('refuses %s', async (_, changes, code) => {
    const { owner } = await startDataService();
    await owner.data.createIndex({ ...hotStore, indexSpec: [text({ taken: 1 })] });
    expect(await codeOf(owner.data.createIndex({ ...hotStore, indexSpec: [text({ a: 1 })], ...changes }))).toBe(code);
  });

  it.each([
    ['priority', 5, 'The field "priority" is not valid for an index; leave it out.'],
    ['unique', true, 'The option unique of index_spec is not supported here; leave it out.'],
  ])('says of the option %s what is wrong with it', async (option, value, message) => {
    const { owner } = await startDataService();
    const indexSpec = [text({ a: 1 }), text({ [option]: value })];
    await expect(owner.data.createIndex({ ...hotStore, indexSpec })).rejects.toThrow(message);
  });

  it('keeps the options that say something', async () => {
    const service = await startDataService();
    const options = { background: true, unique: false, sparse: true };
    await service.owner.data.createIndex({ ...hotStore, indexSpec: [text({ a: 1 }), text(options)] });
    expect((await listed(service))[0]!.spec[1]).toEqual({ name: 'a_1', background: true, sparse: true });
  });

  it('is for owners', async () => {
    const { operator } = await startDataService();
    expect(await codeOf(operator.data.createIndex({ ...hotStore, indexSpec: [text({ a: 1 })] }))).toBe(
      'PermissionDenied',
    );
  });
});

describe('an index that is being built', () => {
  const indexSpec = [text({ a: 1 })];

  it.each([
    [{ rows: 1200, of: 5000 }, { building: { rows: 1200, of: 5000 } }],
    [null, { building: {} }],
  ])('is told by ListIndexes: %j', async (progress, told) => {
    const store = memoryDataStore({ now: () => startTime });
    const service = await startDataService({ store });
    await service.owner.data.createIndex({ ...hotStore, indexSpec });
    const [index] = await store.indexes.list('a', { kind: 'hot-store' });
    const beingBuilt = async () => [
      { index: { ...index!, name: 'b_1' }, progress },
      { index: index!, progress }, // the index is whole meanwhile
    ];
    const { as } = store;
    store.indexes.beingBuilt = beingBuilt;
    store.as = (actor) => {
      const stores = as(actor);
      return { ...stores, indexes: { ...stores.indexes, beingBuilt } };
    };
    expect((await listed(service)).map(({ name, spec }) => [name, spec.slice(2)])).toEqual([
      ['a_1', []],
      ['b_1', [told]],
    ]);
  });
});

describe('indexes of a sink', () => {
  it('are its own, stay when it is renamed, and go with its pipeline', async () => {
    const service = await startDataService();
    const { data, pipelines } = service.owner;
    const pipeline = {
      organizationId: 'a',
      name: 'counts',
      mqlBinary: [serialize({ $count: 'n' })],
      schedule: '0 * * * *',
    };
    const { id } = await pipelines.createDataPipeline(pipeline);
    await data.createIndex({ ...sink, pipelineName: 'counts', indexSpec: [text({ n: 1 })] });
    expect(await listed(service)).toEqual([]);
    expect(await listed(service, { ...sink, pipelineName: 'counts' })).toHaveLength(1);
    await pipelines.renameDataPipeline({ id, name: 'sums' });
    const { indexes } = await data.listIndexes({ ...sink, pipelineName: 'sums' });
    expect(indexes).toMatchObject([{ indexName: 'n_1', pipelineName: 'sums', collectionType: sink.collectionType }]);
    await pipelines.deleteDataPipeline({ id });
    const { changes } = await service.owner.of(AuditService).listChanges({ organizationId: 'a', what: 'index' });
    expect(changes.filter(({ after }) => after === undefined)).toMatchObject([{ objectId: 'n_1' }]);
    await pipelines.createDataPipeline(pipeline);
    expect(await listed(service, { ...sink, pipelineName: 'counts' })).toEqual([]);
  });
});

describe('DeleteIndex', () => {
  it('removes the one named, and no other', async () => {
    const service = await startDataService();
    const { data } = service.owner;
    await data.createIndex({ ...hotStore, indexSpec: [text({ a: 1 })] });
    await data.createIndex({ ...hotStore, indexSpec: [text({ b: 1 })] });
    await data.deleteIndex({ ...hotStore, indexName: 'a_1' });
    expect((await listed(service)).map(({ name }) => name)).toEqual(['b_1']);
    expect(await codeOf(data.deleteIndex({ ...hotStore, indexName: 'a_1' }))).toBe('NotFound');
    expect(await codeOf(data.deleteIndex({ ...hotStore, indexName: '' }))).toBe('InvalidArgument');
  });
});
