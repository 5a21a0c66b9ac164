import { deserialize, serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import type { ReadingOrigin } from '../../ports/packed-readings.ts';
import { defaultQueryLimits } from '../query-limits.ts';
import type { QueryStage } from '../query-document.ts';
import { originDocument } from '../reading-document.ts';
import { originGroup } from './origin-group.ts';
import { PipelineExecution } from './pipeline-execution.ts';

const origin = (partId: string, componentName: string): ReadingOrigin =>
  ({
    organizationId: 'org',
    locationId: 'lab',
    robotId: 'r',
    partId,
    componentType: 'sensor',
    componentName,
    methodName: 'Readings',
  }) as ReadingOrigin;
// groups of several origins, and an order that is none of their names
const counts = [
  { origin: origin('p', 'oven'), count: 3 },
  { origin: origin('q', 'fridge'), count: 1 },
  { origin: origin('q', 'oven'), count: 1000 },
  { origin: origin('p', ''), count: 2 },
];

const executed = (stage: QueryStage) => {
  const execution = new PipelineExecution([stage], defaultQueryLimits, 0);
  execution.add(
    counts.flatMap(({ origin: one, count }) =>
      Array.from({ length: count }, (_, n) => ({ ...originDocument(one), n })),
    ),
  );
  return execution.finish().map((row) => deserialize(row));
};

describe('a $group by origins', () => {
  it.each<[QueryStage]>([
    [{ $group: { _id: '$component_name' } }],
    [{ $group: { _id: '$component_name', n: { $sum: 1 } } }],
    [{ $group: { _id: '$part_id', _count: { $count: {} }, half: { $sum: 0.5 }, less: { $sum: -2 }, no: { $sum: 0 } } }],
    [{ $group: { _id: { part: '$part_id', name: '$component_name' }, count: { $sum: 1 } } }],
    [{ $group: { _id: { k0: { $ifNull: ['$method_name', null] } }, a0: { $sum: 1 } } }],
    [{ $group: { _id: 'all', n: { $sum: 1 } } }],
  ])('%j hands on what it does over all documents', (stage) => {
    const rows = originGroup(stage)!(counts).map((row) => deserialize(serialize(row)));
    expect(rows).toEqual(executed(stage));
    expect(rows.map((row) => Object.keys(row))).toEqual(executed(stage).map((row) => Object.keys(row)));
    expect(originGroup(stage)!([])).toEqual([]);
  });

  it.each<[QueryStage | undefined]>([
    [undefined],
    [{ $count: 'n' }],
    [{ $sortByCount: '$component_name' }],
    [{ $group: { _id: '$time_requested', n: { $sum: 1 } } }],
    [{ $group: { _id: '$count', n: { $sum: 1 } } }],
    [{ $group: { _id: '$tags', n: { $sum: 1 } } }],
    [{ $group: { _id: '$$ROOT', n: { $sum: 1 } } }],
    [{ $group: { _id: { $toUpper: '$part_id' }, n: { $sum: 1 } } }],
    [{ $group: { _id: { c: '$component_name', t: '$data.temp' }, n: { $sum: 1 } } }],
    [{ $group: { _id: '$component_name', t: { $avg: '$data.temp' } } }],
    [{ $group: { _id: '$component_name', n: { $sum: 1 }, t: { $first: '$component_name' } } }],
    [{ $group: { n: { $sum: 1 } } }],
  ])('is not %j', (stage) => {
    expect(originGroup(stage)).toBeNull();
  });
});
