import { deserialize } from 'bson';
import fc from 'fast-check';
import { Aggregator } from 'mingo/aggregator';
import { ProcessingMode } from 'mingo/core';
import type { StructObject, StructValue, TabularRow } from '../src/data-service/ports/stored-captures.ts';
import { answerQueries } from '../src/data-service/query/answer-queries.ts';
import { encodeRow } from '../src/data-service/query/encode-rows.ts';
import { mingoContext } from '../src/data-service/query/mql/mingo-context.ts';
import { parseStages } from '../src/data-service/query/mql/parse-stages.ts';
import { packEncodedRows, unpackRows } from '../src/data-service/query/packed-rows.ts';
import type { FromQueryWorker } from '../src/data-service/query/query-worker.ts';
import type { QueryDocument, QueryStage } from '../src/data-service/query/query-document.ts';
import { defaultQueryLimits, operatorBounds } from '../src/data-service/query/query-limits.ts';
import { readQueryRows } from '../src/data-service/query/query-rows.ts';
import { allReadings } from '../src/data-service/query/query-sources.ts';
import { readingDocuments } from '../src/data-service/query/reading-document.ts';

const base = Date.UTC(2026, 0, 1) * 1000;
const bounds = operatorBounds(defaultQueryLimits);

const mixed = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<StructValue>(0.1, 0.2, 1e300, 20.125, 2 ** 53, NaN, -0, Infinity, -Infinity),
  fc.constantFrom<StructValue>('a', 'b', '', '10', 'ü', 'nul\0', ',\n"]', null, true, false),
  fc.constantFrom<StructValue>([], [1, 2], ['a', null], [{ x: 1 }, { x: 2 }], {}, { x: 1 }, { x: { y: 'deep' } }),
);
/** What a real sensor says: of one type, and missing now and then. */
const values = fc.constantFrom<fc.Arbitrary<StructValue>>(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -2000, max: 2000 }).map((n) => n / 1000),
  fc.constantFrom('on', 'off', 'idle'),
  fc.boolean(),
  fc.constantFrom<StructValue>(1, 2, 3, NaN, -0, 0),
  mixed,
);
/** Readings, upload by upload, of two organizations: fields that `tabularRow` takes. */
export const seededReadings = fc
  .tuple(values, values)
  .chain(([temp, state]) =>
    fc.array(
      fc.array(
        fc.record({
          organizationId: fc.constantFrom('a', 'a', 'a', 'b'),
          componentName: fc.constantFrom('oven', 'fridge'),
          locationId: fc.constantFrom('lab', 'yard'),
          internal: fc.constantFrom(false, false, false, true),
          tags: fc.constantFrom<string[]>([], [], [], ['x']),
          timeRequested: fc.integer({ min: 0, max: 30 }).map((step) => base + step * 400),
          payload: fc.record(
            { readings: fc.oneof({ weight: 9, arbitrary: fc.record({ temp, state }, { requiredKeys: [] }) }, mixed) },
            { requiredKeys: [] },
          ) as fc.Arbitrary<StructObject>,
        }),
        { maxLength: 14 },
      ),
      { maxLength: 4 },
    ),
  );

const path = fc.constantFrom(
  'data.readings.temp',
  'data.readings.state',
  'data.readings',
  'data.readings.temp.x',
  'data.readings.0',
  'component_name',
  'time_requested',
  'location_id',
  'tags',
  'data.missing',
);
const field = path.map((name) => `$${name}`);
const accumulator = fc.oneof(
  fc
    .constantFrom('$sum', '$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet')
    .chain((name) => field.map((of): QueryDocument => ({ [name]: of }))),
  fc.constantFrom<QueryDocument>({ $sum: 1 }, { $count: {} }),
);
const direction = fc.constantFrom(1, -1);
const condition = fc.oneof(
  fc.constantFrom<QueryDocument>(
    { component_name: 'oven' },
    { location_id: { $in: ['lab', 'x'] } },
    { organization_id: 'a' },
    { organization_id: 'b' },
    { tags: 'x' },
    { 'data.readings.state': { $exists: true } },
    { time_requested: { $gte: new Date(base / 1000 + 3), $lt: new Date(base / 1000 + 9) } },
  ),
  fc
    .tuple(path, fc.constantFrom('$gt', '$lte', '$eq', '$ne'), mixed)
    .map(([name, operator, operand]) => ({ [name]: { [operator]: operand } })),
);
const stage: fc.Arbitrary<QueryStage> = fc.oneof(
  { weight: 3, arbitrary: condition.map(($match): QueryStage => ({ $match })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(field, fc.constant(null)), accumulator, accumulator)
      .map(([id, a, b]): QueryStage => ({ $group: { _id: id, a, b } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.tuple(path, direction), { minLength: 1, maxLength: 2 })
      .map((keys): QueryStage => ({ $sort: Object.fromEntries(keys) })),
  },
  fc.integer({ min: 1, max: 6 }).map((limit): QueryStage => ({ $limit: limit })),
  fc.integer({ min: 0, max: 3 }).map((skip): QueryStage => ({ $skip: skip })),
  fc.constantFrom<QueryStage>(
    { $count: 'n' },
    { $group: { _id: null, n: { $sum: 1 } } },
    { $unwind: '$data.readings.temp' },
    { $project: { 'data.readings.temp': 1 } },
    { $project: { t: '$data.readings.temp', c: '$component_name' } },
    { $addFields: { double: ['$data.readings.temp', '$data.readings.temp'] } },
    { $unset: 'data.readings.state' },
  ),
);
const sortWithLimit = fc
  .tuple(fc.array(fc.tuple(path, direction), { minLength: 1, maxLength: 2 }), fc.integer({ min: 1, max: 6 }))
  .map(([keys, limit]): QueryStage[] => [{ $sort: Object.fromEntries(keys) }, { $limit: limit }]);
/** The stages of a query over them. */
export const seededQuery = fc.oneof(
  fc.array(stage, { minLength: 1, maxLength: 4 }),
  fc.tuple(condition, sortWithLimit).map(([$match, rest]): QueryStage[] => [{ $match }, ...rest]),
  sortWithLimit,
  fc.tuple(condition, fc.constantFrom<QueryStage>({ $count: 'n' }, { $group: { _id: null, n: { $sum: 2 } } })),
);

type Reader = Parameters<typeof readQueryRows>[0];
type Outcome = { readonly rows: unknown[] } | { readonly refused: true };

/** All readings of the organization `a`, whole, through mingo alone. */
export function byMingo(rows: readonly TabularRow[], stages: readonly Uint8Array[]): Outcome {
  const own = rows
    .filter(({ organizationId, internal }) => organizationId === 'a' && !internal)
    .toSorted((a, b) => a.timeRequested - b.timeRequested || (a.id < b.id ? -1 : 1));
  const options = { context: mingoContext(bounds), scriptEnabled: false, processingMode: ProcessingMode.CLONE_OFF };
  const documents = structuredClone(own.map(readingDocuments(null)));
  try {
    const found = new Aggregator(parseStages(stages) as Record<string, unknown>[], options).run(documents as object[]);
    return { rows: found.map((row) => deserialize(encodeRow(row as QueryDocument, bounds))) };
  } catch {
    return { refused: true };
  }
}

/** The query worker's answer. */
export async function fromStore(reader: Reader, stages: readonly Uint8Array[]): Promise<Outcome> {
  const answer = await new Promise<FromQueryWorker>((resolve) => {
    const ask = answerQueries(resolve, (query) => Promise.resolve(readQueryRows(reader)(query)));
    const query = { organizationId: 'a', source: allReadings, stages: packEncodedRows(stages) };
    ask({ type: 'query', ...query, limits: defaultQueryLimits, nowMs: 0, inParts: false });
  });
  if (answer.type !== 'answer') return { refused: true };
  return { rows: unpackRows(answer.rows).map((row) => deserialize(row)) };
}
