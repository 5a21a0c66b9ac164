import { Binary, Decimal128, deserialize, Double, Long, ObjectId, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  codeOf,
  collect,
  startDataService,
  startTime,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { TabularDataSourceType } from '../../gen/app/data/v1/data_pb.ts';
import { QueryService, type StreamRowsRequestSchema } from '../../gen/sightglass/query/v1/query_pb.ts';
import { splitDocuments } from '../../base/row-files/bson-rows.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { inlineQueryWorker } from '../../../tests/inline-query-worker.ts';
import { undivided } from './fair-turns.ts';
import { IsolatedQueryRunner } from './isolated-query-runner.ts';
import { readQueryRows } from './query-rows.ts';

const hour = 3_600_000_000;
const bson = (...stages: object[]): Uint8Array[] => stages.map((stage) => serialize(stage));
const rows = ({ rawData }: { rawData: Uint8Array[] }): unknown[] => rawData.map((row) => deserialize(row));

async function startQueries(): Promise<TestService> {
  const clock = { now: () => startTime };
  const store = memoryDataStore(clock);
  const queryRunner = new IsolatedQueryRunner({
    rows: readQueryRows(store),
    startWorker: inlineQueryWorker,
    clock,
    turns: undivided(4),
  });
  const service = await startDataService({ store, queryRunner });
  await uploadReading(service.owner, { kg: 1.5, ok: true }, startTime - 30 * hour, { tags: ['old'] });
  await uploadReading(service.owner, { kg: 2, ok: false }, startTime - 2 * hour);
  await uploadReading(service.owner, { kg: 4, note: 'full' }, startTime - 1 * hour);
  const foreign = { partId: 'ship-part' };
  await uploadReading(service.stranger, { kg: 1000 }, startTime - 1 * hour, foreign);
  return service;
}

describe('TabularDataByMQL', () => {
  it('answers with the documents of readings', async () => {
    const { owner } = await startQueries();
    const answer = await owner.data.tabularDataByMQL({ organizationId: 'a', mqlBinary: bson({ $limit: 1 }) });
    expect(rows(answer)).toEqual([
      {
        organization_id: 'a',
        location_id: 'lab',
        robot_id: 'lab-robot',
        part_id: 'lab-part',
        component_type: 'rdk:component:sensor',
        component_name: 'scale',
        method_name: 'Readings',
        time_requested: new Date((startTime - 30 * hour) / 1000),
        time_received: expect.any(Date) as Date,
        tags: ['old'],
        additional_parameters: {},
        data: { readings: { kg: 1.5, ok: true } },
      },
    ]);
  });

  const cases: readonly [string, object[], unknown[]][] = [
    [
      'groups',
      [{ $group: { _id: '$component_name', n: { $sum: 1 }, kg: { $avg: '$data.readings.kg' } } }],
      [{ _id: 'scale', n: 3, kg: 2.5 }],
    ],
    ['sees its own organization only', [{ $match: { organization_id: 'b' } }], []],
    [
      'compares 64-bit integers',
      [{ $match: { 'data.readings.kg': { $gte: Long.fromNumber(4) } } }, { $count: 'n' }],
      [{ n: 1 }],
    ],
    [
      'compares decimals and doubles',
      [{ $match: { 'data.readings.kg': { $in: [Decimal128.fromString('1.5'), new Double(2)] } } }, { $count: 'n' }],
      [{ n: 2 }],
    ],
    [
      'converts dates of extended JSON',
      [
        {
          $match: {
            time_requested: { $gte: { $date: '2026-03-11T03:00:00Z' }, $lt: { $date: '2026-03-11T03:00:00.001Z' } },
          },
        },
        { $project: { 'data.readings.kg': 1 } },
      ],
      [{ data: { readings: { kg: 2 } } }],
    ],
    [
      'answers in plain types',
      [
        { $limit: 1 },
        {
          $project: {
            id: { $literal: new ObjectId('65f0c0ffee65f0c0ffee65f0') },
            bytes: { $literal: new Binary(new Uint8Array([1, 2])) },
            price: { $toDecimal: '1.25' },
            pattern: { $literal: /a/i },
          },
        },
      ],
      [{ id: '65f0c0ffee65f0c0ffee65f0', bytes: 'AQI=', price: 1.25, pattern: '/a/i' }],
    ],
    [
      'sorts descending',
      [{ $sort: { time_requested: -1 } }, { $limit: 1 }, { $project: { kg: '$data.readings.kg' } }],
      [{ kg: 4 }],
    ],
  ];
  it.each(cases)('%s', async (_, stages, expected) => {
    const { owner, defects } = await startQueries();
    expect(rows(await owner.data.tabularDataByMQL({ organizationId: 'a', mqlBinary: bson(...stages) }))).toEqual(
      expected,
    );
    expect(defects).toEqual([]);
  });

  it('takes stages as JSON text too', async () => {
    const { owner } = await startQueries();
    const mqlBinary = [new TextEncoder().encode('{"$count":"n"}')];
    expect(rows(await owner.data.tabularDataByMQL({ organizationId: 'a', mqlBinary }))).toEqual([{ n: 3 }]);
  });

  const sources: readonly [string, object, number][] = [
    ['standard storage unless told', {}, 3],
    ['standard storage', { dataSource: { type: TabularDataSourceType.STANDARD } }, 3],
    ['the last day for recent data', { useRecentData: true }, 2],
    ['the last day for hot storage', { dataSource: { type: TabularDataSourceType.HOT_STORAGE } }, 2],
  ];
  it.each(sources)('reads %s', async (_, changes, n) => {
    const { owner } = await startQueries();
    const request = { organizationId: 'a', mqlBinary: bson({ $count: 'n' }), ...changes };
    expect(rows(await owner.data.tabularDataByMQL(request))).toEqual([{ n }]);
  });

  const refusals: readonly [string, object, string][] = [
    ['a stage that is not allowed', { mqlBinary: bson({ $out: 'x' }) }, 'InvalidArgument'],
    ['a script inside a condition', { mqlBinary: bson({ $match: { $or: [{ $where: '1' }] } }) }, 'InvalidArgument'],
    ['bytes that are no stage', { mqlBinary: [new Uint8Array([1])] }, 'InvalidArgument'],
    ['a stage that cannot run', { mqlBinary: bson({ $project: { x: { $divide: [1, 0] } } }) }, 'InvalidArgument'],
    ['an answer beyond memory', { mqlBinary: bson({ $project: { x: { $range: [0, 1e9] } } }) }, 'ResourceExhausted'],
    ['another organization', { organizationId: 'b' }, 'PermissionDenied'],
    ['no organization', { organizationId: '' }, 'InvalidArgument'],
    ['a sink without its pipeline', { dataSource: { type: TabularDataSourceType.PIPELINE_SINK } }, 'InvalidArgument'],
    ['an unknown pipeline', { dataSource: { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: 'x' } }, 'NotFound'],
    ['an unknown source', { dataSource: { type: 9 } }, 'InvalidArgument'],
    [
      'recent data of a sink',
      { dataSource: { type: TabularDataSourceType.PIPELINE_SINK, pipelineId: 'x' }, useRecentData: true },
      'InvalidArgument',
    ],
    ['an unknown saved query', { queryPrefixName: 'x' }, 'NotFound'],
  ];
  it.each(refusals)('refuses %s', async (_, changes, code) => {
    const { owner, defects } = await startQueries();
    expect(await codeOf(owner.data.tabularDataByMQL({ organizationId: 'a', mqlBinary: [], ...changes }))).toBe(code);
    expect(defects).toEqual([]);
  });

  it('needs a key of the whole organization', async () => {
    const { local } = await startQueries();
    expect(await codeOf(local.data.tabularDataByMQL({ organizationId: 'a' }))).toBe('PermissionDenied');
  });
});

describe('TabularDataBySQL', () => {
  const cases: readonly [string, unknown[]][] = [
    ['SELECT COUNT(*) AS n FROM readings', [{ n: 3 }]],
    [
      "SELECT data.readings.kg FROM readings WHERE time_requested >= '2026-03-11' ORDER BY time_requested DESC",
      [{ kg: 4 }, { kg: 2 }],
    ],
    ["SELECT COUNT(*) AS n FROM readings WHERE organization_id = 'b'", [{ n: 0 }]],
    ["SELECT COUNT(*) AS n FROM readings WHERE organization_id = 'b' OR TRUE", [{ n: 3 }]],
  ];
  it.each(cases)('%s', async (sqlQuery, expected) => {
    const { owner } = await startQueries();
    expect(rows(await owner.data.tabularDataBySQL({ organizationId: 'a', sqlQuery }))).toEqual(expected);
  });

  const refusals: readonly [string, string, string][] = [
    ['DROP TABLE readings', 'a', 'InvalidArgument'],
    ['SELECT a FROM readings; SELECT b FROM readings', 'a', 'InvalidArgument'],
    ['', 'a', 'InvalidArgument'],
    ['SELECT COUNT(*) FROM readings', 'b', 'PermissionDenied'],
  ];
  it.each(refusals)('refuses %j of organization %s', async (sqlQuery, organizationId, code) => {
    const { owner } = await startQueries();
    expect(await codeOf(owner.data.tabularDataBySQL({ organizationId, sqlQuery }))).toBe(code);
  });
});

describe('saved queries', () => {
  const heavy = bson({ $match: { 'data.readings.kg': { $gte: 2 } } });

  it('run before the stages of a request', async () => {
    const { owner } = await startQueries();
    await owner.data.createSavedQuery({ organizationId: 'a', name: 'heavy', mqlBinary: heavy });
    const request = { organizationId: 'a', queryPrefixName: 'heavy', mqlBinary: bson({ $count: 'n' }) };
    expect(rows(await owner.data.tabularDataByMQL(request))).toEqual([{ n: 2 }]);
    expect((await owner.data.tabularDataByMQL({ ...request, mqlBinary: [] })).rawData).toHaveLength(2);
  });

  it('are kept, changed, listed newest first and deleted', async () => {
    const { owner, operator, time } = await startQueries();
    const { id } = await owner.data.createSavedQuery({ organizationId: 'a', name: 'one', mqlBinary: heavy });
    time.now += hour;
    await owner.data.createSavedQuery({ organizationId: 'a', name: 'two', mqlBinary: heavy });
    await owner.data.updateSavedQuery({ id, name: 'uno', mqlBinary: bson({ $limit: 1 }) });
    const { savedQuery } = await operator.data.getSavedQuery({ id });
    expect(savedQuery).toMatchObject({
      id,
      organizationId: 'a',
      name: 'uno',
      createdOn: { seconds: BigInt(startTime / 1e6) },
    });
    expect(savedQuery!.updatedAt!.seconds - savedQuery!.createdOn!.seconds).toBe(3600n);
    expect(savedQuery!.mqlBinary.map((stage) => deserialize(stage))).toEqual([{ $limit: 1 }]);
    const names = async (limit: bigint) =>
      (await operator.data.listSavedQueries({ organizationId: 'a', limit })).queries.map(({ name }) => name);
    expect(await names(0n)).toEqual(['two', 'uno']);
    expect(await names(1n)).toEqual(['two']);
    await owner.data.deleteSavedQuery({ id });
    expect(await names(0n)).toEqual(['two']);
    expect(await codeOf(owner.data.getSavedQuery({ id }))).toBe('NotFound');
  });

  it('are listed fifty at a time unless told, and a thousand at most', async () => {
    const { operator, dependencies } = await startQueries();
    for (let i = 0; i < 1001; i++) {
      const of = { id: `q${i}`, organizationId: 'a', name: `query ${i}`, stages: heavy };
      await dependencies.store.savedQueries.create({ ...of, timeCreated: i, timeUpdated: i });
    }
    const listed = async (limit: bigint) =>
      (await operator.data.listSavedQueries({ organizationId: 'a', limit })).queries.length;
    expect([await listed(0n), await listed(999n), await listed(5000n)]).toEqual([50, 999, 1000]);
  });

  const refusals: readonly [string, (service: TestService, id: string) => Promise<unknown>, string][] = [
    [
      'a taken name',
      ({ owner }) => owner.data.createSavedQuery({ organizationId: 'a', name: 'heavy', mqlBinary: heavy }),
      'AlreadyExists',
    ],
    [
      'no name',
      ({ owner }) => owner.data.createSavedQuery({ organizationId: 'a', mqlBinary: heavy }),
      'InvalidArgument',
    ],
    ['no stages', ({ owner }) => owner.data.createSavedQuery({ organizationId: 'a', name: 'x' }), 'InvalidArgument'],
    [
      'a stage not allowed',
      ({ owner }, id) => owner.data.updateSavedQuery({ id, name: 'x', mqlBinary: bson({ $out: 'x' }) }),
      'InvalidArgument',
    ],
    [
      'an operator',
      ({ operator }) => operator.data.createSavedQuery({ organizationId: 'a', name: 'x', mqlBinary: heavy }),
      'PermissionDenied',
    ],
    [
      'a negative limit',
      ({ owner }) => owner.data.listSavedQueries({ organizationId: 'a', limit: -1n }),
      'InvalidArgument',
    ],
    ['a stranger who reads', ({ stranger }, id) => stranger.data.getSavedQuery({ id }), 'NotFound'],
    [
      'a stranger who changes',
      ({ stranger }, id) => stranger.data.updateSavedQuery({ id, name: 'x', mqlBinary: heavy }),
      'NotFound',
    ],
    ['a stranger who deletes', ({ stranger }, id) => stranger.data.deleteSavedQuery({ id }), 'NotFound'],
    [
      'a stranger who runs',
      ({ stranger }) => stranger.data.tabularDataByMQL({ organizationId: 'b', queryPrefixName: 'heavy' }),
      'NotFound',
    ],
  ];
  it.each(refusals)('refuse %s', async (_, call, code) => {
    const service = await startQueries();
    const { id } = await service.owner.data.createSavedQuery({ organizationId: 'a', name: 'heavy', mqlBinary: heavy });
    expect(await codeOf(call(service, id))).toBe(code);
  });
});

describe('StreamRows', () => {
  const streamed = async (
    client: TestService['owner'],
    asked: MessageInitShape<typeof StreamRowsRequestSchema>['query'] & object,
  ) => {
    const all: unknown[] = [];
    for await (const { rows: part } of client.of(QueryService).streamRows({ query: asked }))
      all.push(...splitDocuments(part).documents.map((row) => deserialize(row)));
    return all;
  };
  const sql = (sqlQuery: string, organizationId = 'a') =>
    ({ case: 'sql', value: { organizationId, sqlQuery } }) as const;

  it('has the rows of SQL and of MQL', async () => {
    const { owner } = await startQueries();
    const kg = [1.5, 2, 4].map((value) => ({ kg: value }));
    expect(await streamed(owner, sql('SELECT data.readings.kg AS kg FROM readings'))).toEqual(kg);
    const mqlBinary = bson({ $project: { kg: '$data.readings.kg' } }, { $sort: { kg: -1 } });
    const value = { organizationId: 'a', mqlBinary };
    expect(await streamed(owner, { case: 'mql', value })).toEqual(kg.toReversed());
  });

  it.each([
    ['no query', undefined, 'InvalidArgument'],
    ['an empty text', sql(''), 'InvalidArgument'],
    ['no SELECT', sql('DROP x'), 'InvalidArgument'],
    ['another organization', sql('SELECT 1 FROM readings', 'b'), 'PermissionDenied'],
  ])('is refused of %s', async (_, asked, code) => {
    const { owner } = await startQueries();
    const call = asked === undefined ? collect(owner.of(QueryService).streamRows({})) : streamed(owner, asked);
    expect(await codeOf(call)).toBe(code);
  });
});
