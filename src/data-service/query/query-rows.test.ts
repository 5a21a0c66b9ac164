import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import type { TabularRow } from '../ports/stored-captures.ts';
import { packRows } from '../ports/packed-readings.ts';
import type { PipelineStore } from '../ports/pipeline-store.ts';
import type { QuerySource } from '../ports/query-runner.ts';
import type { FieldHint, PackedScans, TabularStore } from '../ports/tabular-store.ts';
import { PipelineExecution } from './mql/pipeline-execution.ts';
import { planReading } from './mql/read-plan.ts';
import { inlineQueryWorker } from '../../../tests/inline-query-worker.ts';
import { undivided } from './fair-turns.ts';
import { IsolatedQueryRunner } from './isolated-query-runner.ts';
import { unpackRows } from './packed-rows.ts';
import type { QueryDocument, QueryStage } from './query-document.ts';
import { defaultQueryLimits } from './query-limits.ts';
import { readQueryRows, type QueryRows } from './query-rows.ts';
import { allReadings } from './query-sources.ts';
import { readingDocuments, unpackReadings } from './reading-document.ts';

const clock = { now: () => 1_700_000_000_000_000 };
const never = new AbortController().signal;
const base = Date.UTC(2026, 0, 1) * 1000;

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('a', 'b', '', 1.5, null, true, false, Infinity, -0),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
);
const readings = fc.oneof(
  fc.record(
    { temp: value, state: value, list: fc.array(fc.record({ x: value }, { requiredKeys: [] }), { maxLength: 2 }) },
    { requiredKeys: [] },
  ),
  fc.constant({}),
);

/** Few different values, and times less than a millisecond apart: ties and near misses are what goes wrong. */
const row = fc.record({
  organizationId: fc.constantFrom('a', 'a', 'a', 'b'),
  locationId: fc.constantFrom('lab', 'yard'),
  partId: fc.constantFrom('p', 'q'),
  componentName: fc.constantFrom('oven', 'fridge', ''),
  methodName: fc.constantFrom('Readings', ''),
  tags: fc.uniqueArray(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  internal: fc.constantFrom(false, false, false, true),
  timeRequested: fc.integer({ min: 0, max: 20 }).map((step) => base + step * 400),
  payload: fc.record({ readings }),
});

const time = fc.integer({ min: -1, max: 9 }).map((ms) => new Date(base / 1000 + ms));
const range = fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne');
const condition: fc.Arbitrary<QueryDocument> = fc.oneof(
  fc.record({ organization_id: fc.constantFrom('a', 'b') }),
  fc.record({ location_id: fc.oneof(fc.constantFrom('lab', 'yard'), fc.constant({ $in: ['lab', 'none'] })) }),
  fc.record({ component_name: fc.constantFrom('oven', 'fridge', '') }),
  // names that every object has
  fc.constantFrom('toString', 'constructor').map((name) => ({ [name]: 'x' })),
  fc.record({ part_id: fc.constantFrom<string | QueryDocument>('p', { $ne: 'p' }, { $in: ['p', 'q'] }) }),
  fc.record({ tags: fc.constantFrom<string | QueryDocument>('x', 'y', { $in: ['x'] }, { $size: 1 }) }),
  fc.tuple(range, time).map(([operator, at]) => ({ time_requested: { [operator]: at } })),
  fc.tuple(time, time).map(([from, to]) => ({ time_requested: { $gte: from, $lt: to } })),
  fc.tuple(range, value).map(([operator, operand]) => ({ 'data.readings.temp': { [operator]: operand } })),
  fc.tuple(value, value).map(([from, to]) => ({ 'data.readings.temp': { $gt: from, $lt: to } })),
  value.map((operand) => ({ 'data.readings.list.x': operand })),
  fc.constant({ $expr: { $gt: ['$data.readings.temp', '$data.readings.state'] } }),
  fc.constant({ $or: [{ component_name: 'oven' }, { 'data.readings.temp': null }] }),
);
const match = fc
  .array(condition, { maxLength: 3 })
  .map((all): QueryStage => ({ $match: all.length === 1 ? all[0] : { $and: all } }));

const stage: fc.Arbitrary<QueryStage> = fc.oneof(
  match.filter(({ $match }) => JSON.stringify($match) !== '{"$and":[]}'),
  fc.constantFrom<QueryStage>(
    { $sort: { time_requested: -1 } },
    { $sort: { time_requested: 1 } },
    { $sort: { time_requested: -1, component_name: 1 } },
    { $sort: { 'data.readings.temp': 1 } },
    { $limit: 1 },
    { $limit: 4 },
    { $skip: 2 },
    { $project: { component_name: 1, t: '$data.readings.temp' } },
    { $project: { 'data.readings.list.x': 1, time_requested: 1 } },
    { $project: { data: 0 } },
    { $addFields: { double: { $concat: ['$component_name', '$part_id'] } } },
    { $unset: 'tags' },
    { $unwind: '$tags' },
    { $count: 'n' },
    { $sortByCount: '$component_name' },
    { $group: { _id: '$part_id', n: { $sum: 1 }, list: { $push: '$data.readings.list' } } },
    { $group: { _id: { c: '$component_name' }, first: { $first: '$data.readings' }, all: { $addToSet: '$tags' } } },
    { $group: { _id: null, whole: { $last: '$$ROOT' } } },
    { $group: { _id: '$component_name', t: { $avg: '$data.readings.temp' }, at: { $max: '$time_requested' } } },
    { $group: { _id: { p: '$part_id', s: '$data.readings.state' }, x: { $first: '$data.readings.list.x' } } },
    { $project: { 'data.readings.state': 1, part_id: 1, time_requested: 1 } },
    { $replaceWith: { at: '$time_requested', all: '$data' } },
    { $replaceRoot: { newRoot: '$data.readings' } },
    { $bucket: { groupBy: '$time_requested', boundaries: [new Date(0), new Date(4e12)], output: { n: { $sum: 1 } } } },
    { $match: { $expr: { $eq: ['$$ROOT.part_id', 'p'] } } },
  ),
);

const toRow = (fields: object, index: number): TabularRow =>
  ({
    id: `row-${String(index).padStart(6, '0')}`,
    robotId: 'r',
    robotName: '',
    partName: '',
    componentType: 'rdk:component:sensor',
    methodParameters: {},
    timeReceived: base,
    timeSynced: base,
    additionalParameters: '',
    sizeBytes: 1,
    ...fields,
  }) as TabularRow;

/** A store that uses every hint there is, as far as it may: a path with an array in it says nothing. */
function usingHints(tabular: TabularStore): TabularStore {
  const breaks = (found: unknown, { from, to }: FieldHint): boolean => {
    if (Array.isArray(found)) return false;
    const beyond = (bound: FieldHint['from'], sign: 1 | -1): boolean => {
      if (bound === null) return false;
      if (typeof found !== typeof bound.value) return true;
      const order = (found as number) < (bound.value as number) ? -1 : found === bound.value ? 0 : 1;
      return order === 0 ? !bound.inclusive : order * sign < 0;
    };
    return beyond(from, 1) || beyond(to, -1);
  };
  const toDocument = readingDocuments(null);
  const pageByHints: TabularStore['pageByHints'] = async (scan, hints) => {
    const all = await tabular.page({ ...scan, limit: Infinity });
    const kept = all.filter((one) => !hints.some((hint) => breaks(at(toDocument(one), hint.path.split('.')), hint)));
    return kept.slice(0, scan.limit);
  };
  return { ...tabular, pageByHints, packedPage: async (scan, hints) => packRows(await pageByHints(scan, hints)) };
}

function at(document: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || Array.isArray(document)) return document;
  return at((document as Record<string, unknown> | null | undefined)?.[name], rest);
}

/** The same pipeline over every document of the organization, in the order of time, nothing left out. */
function overEverything(rows: readonly TabularRow[], stages: readonly QueryStage[]): unknown[] {
  const execution = new PipelineExecution(stages, defaultQueryLimits, 0);
  const all = rows
    .filter(({ organizationId, internal }) => organizationId === 'a' && !internal)
    .toSorted((a, b) => a.timeRequested - b.timeRequested || (a.id < b.id ? -1 : 1));
  execution.add(structuredClone(all.map(readingDocuments(null))));
  return execution.finish().map((bytes) => deserialize(bytes));
}

describe('what a query reads', () => {
  it('leaves out nothing that the answer needs', async () => {
    const pipelines = fc.array(stage, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 25 }), pipelines, async (fields, stages) => {
        const rows = fields.map(toRow);
        const store = memoryDataStore(clock);
        const withHints = { ...store, tabular: usingHints(store.tabular) };
        await store.tabular.insert(rows, { organizationId: 'a', uploadId: 'u', ids: [], timeSynced: 0 } as never);
        const runner = new IsolatedQueryRunner({
          rows: readQueryRows(withHints),
          startWorker: inlineQueryWorker,
          clock,
          turns: undivided(1),
        });
        const source = { kind: 'readings', interval: { start: null, end: null } } as const;
        const query = { organizationId: 'a', source, stages: stages.map((one) => serialize(one)) };
        const run = runner
          .run(query, { organizationId: 'a', keyId: null, isPipeline: false }, defaultQueryLimits, never)
          .then((answer) => answer.map((one) => deserialize(one)));
        let expected: unknown;
        try {
          expected = overEverything(rows, stages);
        } catch (error) {
          // a stage may refuse a document that the plan rightly never reads
          await run.catch((other: unknown) => expect((other as Error).name).toBe((error as Error).name));
          return;
        }
        expect(await run).toEqual(expected);
      }),
      { seed: 20260311, numRuns: 1500 },
    );
  }, 120_000);

  const query = (source: QuerySource, ...stages: QueryStage[]) => ({
    organizationId: 'a',
    source,
    stages: stages.map((one) => serialize(one)),
  });
  const stepsOf = (count: number, stepMicros: number) =>
    Array.from({ length: count }, (_, n) =>
      toRow(
        { organizationId: 'a', tags: [], internal: false, timeRequested: base + n * stepMicros, payload: { n } },
        n,
      ),
    );
  async function rowsOf(rows: readonly TabularRow[], ...stages: QueryStage[]) {
    const store = memoryDataStore(clock);
    await store.tabular.insert(rows, { organizationId: 'a', uploadId: 'u', ids: [], timeSynced: 0 } as never);
    const reading = readQueryRows(store)(query(allReadings, ...stages));
    const batches: QueryRows[] = [];
    for await (const batch of reading.rows) batches.push(batch);
    return batches;
  }
  const numbersIn = (batches: readonly QueryRows[]) =>
    batches.flatMap((batch) => {
      const documents = batch.type === 'rows' ? batch.rows : batch.type === 'readings' ? unpackReadings(batch.readings, batch.paths) : []; // prettier-ignore
      return documents.map(({ data }) => (data as { n: number }).n);
    });
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

  it.each<[string, QueryRows['type'], QueryStage[]]>([
    ['packed', 'readings', [{ $project: { 'data.n': 1 } }]],
    ['whole', 'rows', []],
  ])('is every reading once and in order, however many batches they fill: %s', async (_, type, stages) => {
    const batches = await rowsOf(stepsOf(2100, 1000), ...stages);
    expect(new Set(batches.map((batch) => batch.type))).toEqual(new Set([type]));
    expect(batches.length).toBeGreaterThan(2);
    expect(numbersIn(batches)).toEqual(upTo(2100));
    expect(numbersIn(await rowsOf(stepsOf(2100, 1000), ...stages, { $limit: 1200 }))).toEqual(upTo(1200));
  });

  it('is, of the newest, all of the last millisecond', async () => {
    // 400 µs apart: 5, 6 and 7 are of the third millisecond, 8 and 9 of the fourth
    const newest: QueryStage = { $sort: { time_requested: -1 } };
    expect(numbersIn(await rowsOf(stepsOf(10, 400), newest, { $limit: 3 }))).toEqual([5, 6, 7, 8, 9]);
    expect(numbersIn(await rowsOf(stepsOf(10, 400), newest, { $limit: 2 }))).toEqual([8, 9]);
  });

  it('is every document of a sink once, however many batches they fill', async () => {
    const kept = upTo(2000).map((n) => ({ key: String(n).padStart(4, '0'), document: serialize({ n }) }));
    const sink = (_: string, after: string | null, limit: number) =>
      Promise.resolve(kept.filter(({ key }) => after === null || key > after).slice(0, limit));
    const store = { ...memoryDataStore(clock), pipelines: { sink } as unknown as PipelineStore };
    const found: unknown[] = [];
    for await (const batch of readQueryRows(store)(query({ kind: 'pipeline-sink', pipelineId: 'p' })).rows)
      if (batch.type === 'documents') found.push(...unpackRows(batch.documents).map((bytes) => deserialize(bytes).n));
    expect(found).toEqual(upTo(2000));
  });

  const plans: readonly [string, QueryStage[], object][] = [
    [
      'the newest rows of a part',
      [{ $match: { part_id: 'p' } }, { $sort: { time_requested: -1 } }, { $skip: 1 }, { $limit: 2 }],
      { order: 'descending', limit: 3, filter: { partId: 'p' }, paths: null },
    ],
    [
      'three days, and of them two fields',
      [
        { $match: { time_requested: { $gte: new Date(1000), $lt: new Date(3000) } } },
        { $group: { _id: '$component_name', mean: { $avg: '$data.readings.temp' } } },
      ],
      {
        filter: { interval: { start: 1_000_000, end: 3_000_000 } },
        answered: 1,
        paths: ['component_name', 'data.readings.temp'],
        limit: Infinity,
      },
    ],
    [
      'a hint, and no limit that the store could hold',
      [{ $match: { 'data.readings.temp': { $gt: 5 } } }, { $limit: 1 }],
      { hints: [{ path: 'data.readings.temp', from: { value: 5, inclusive: false }, to: null }], limit: Infinity },
    ],
    ['all, when the field is one that every object has', [{ $match: { constructor: 'x' } }], { answered: 0 }],
    ['all, when a stage may look anywhere', [{ $group: { _id: null, last: { $last: '$$ROOT' } } }], { paths: null }],
    [
      'all, when rows are sorted by something else',
      [{ $sort: { component_name: 1 } }, { $limit: 1 }],
      { limit: Infinity },
    ],
  ];
  it.each(plans)('is %s', (_, stages, plan) => {
    expect(planReading('a', { start: null, end: null }, stages)).toMatchObject(plan);
  });
});

async function readAll(stores: Parameters<typeof readQueryRows>[0], stages: readonly QueryStage[]) {
  const query = { organizationId: 'a', source: allReadings, stages: stages.map((one) => serialize(one)) };
  const reading = readQueryRows(stores)(query);
  const batches: QueryRows[] = [];
  for await (const batch of reading.rows) batches.push(batch);
  return { batches, left: reading.stages.length };
}

it('counts without reading a row where its conditions are the storage’s to test', async () => {
  const store = memoryDataStore(clock);
  const common = { organizationId: 'a', tags: [], internal: false, timeRequested: base, payload: { n: 1 } };
  const rows = ['oven', 'scale', 'oven'].map((componentName, n) => toRow({ ...common, componentName }, n));
  await store.tabular.insert(rows, { organizationId: 'a', uploadId: 'u', ids: [], timeSynced: 0 } as never);
  const refuse = (): never => {
    throw new Error('rows were read');
  };
  const tabular = { ...store.tabular, page: refuse, pageByHints: refuse, packedPage: refuse };
  const read = async (...stages: QueryStage[]) => readAll({ ...store, tabular }, stages);
  expect(await read({ $match: { component_name: 'oven' } }, { $count: 'n' }, { $limit: 1 })).toEqual({
    batches: [{ type: 'rows', rows: [{ n: 2 }] }],
    left: 1,
  });
  await expect(read({ $match: { 'data.n': 1 } }, { $count: 'n' })).rejects.toThrow('rows were read');
});

it('asks a store that packs whole scans for one, and never for what no row can answer', async () => {
  const { pipelines, tabular } = memoryDataStore(clock);
  const { readings } = packRows([
    toRow({ organizationId: 'a', tags: [], internal: false, timeRequested: base, payload: {} }, 0),
  ]);
  const asked: unknown[] = [];
  const packedScan: PackedScans['packedScan'] = async function* (filter, hints, limit, wanted) {
    asked.push([filter.componentName, hints.map(({ path }) => path), limit, wanted]);
    yield readings;
  };
  const read = (...stages: QueryStage[]) => readAll({ pipelines, tabular: { ...tabular, packedScan } }, stages);
  const sums = { $group: { _id: null, n: { $sum: '$data.n' } } };
  expect(await read({ $match: { component_name: 'oven', 'data.n': 1 } }, sums)).toEqual({
    batches: [{ type: 'readings', readings, paths: ['component_name', 'data.n'] }],
    left: 2,
  });
  await read({ $limit: 5 }, sums);
  await read({ $skip: 1 });
  expect((await read({ $limit: 0 }, sums)).batches).toEqual([]);
  const [early, late] = [2000, 1000].map((ms) => ({ time_requested: { $lt: new Date(ms) } }));
  const impossible = { $match: { $and: [{ time_requested: { $gte: new Date(2000) } }, early!, late!] } };
  expect((await read(impossible, sums)).batches).toEqual([]);
  const parts = { times: false, origins: false, payloads: true, rest: false };
  const all = { times: true, origins: true, payloads: true, rest: true };
  expect(asked).toEqual([
    ['oven', ['data.n'], Infinity, { ...parts, origins: true }],
    ['', [], 5, parts],
    ['', [], Infinity, all],
  ]);
});

it('has a store count by origin, also one that does so later', async () => {
  const { pipelines, tabular } = memoryDataStore(clock);
  const [origin] = packRows([
    toRow({ organizationId: 'a', tags: [], internal: false, timeRequested: base, payload: {} }, 0),
  ]).readings.origins;
  const originCounts = () => Promise.resolve([{ origin: { ...origin!, componentName: 'oven' }, count: 3 }]);
  const stages = [{ $group: { _id: '$component_name', n: { $sum: 2 } } }];
  const { batches } = await readAll({ pipelines, tabular: { ...tabular, originCounts } }, stages);
  expect(batches).toEqual([{ type: 'rows', rows: [{ _id: 'oven', n: 6 }] }]);
});
