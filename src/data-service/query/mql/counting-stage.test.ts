import { deserialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { defaultQueryLimits } from '../query-limits.ts';
import type { QueryStage } from '../query-document.ts';
import { countingStage } from './counting-stage.ts';
import { PipelineExecution } from './pipeline-execution.ts';

const executed = (stage: QueryStage, count: number) => {
  const execution = new PipelineExecution([stage], defaultQueryLimits, 0);
  execution.add(Array.from({ length: count }, (_, n) => ({ n, name: 'x' })));
  return execution.finish().map((row) => deserialize(row));
};

describe('a stage that only counts', () => {
  it.each<[QueryStage]>([
    [{ $count: 'n' }],
    [{ $group: { _id: null } }],
    [{ $group: { _id: null, n: { $sum: 1 }, half: { $sum: 0.5 }, less: { $sum: -2 }, all: { $count: {} } } }],
    [{ $facet: { groups: [{ $group: { _id: null, a0: { $sum: 1 } } }] } }],
    [{ $facet: { a: [{ $count: 'n' }], b: [{ $group: { _id: null, n: { $sum: 3 } } }] } }],
  ])('%j hands on what it does when it runs', (stage) => {
    for (const count of [0, 1, 2, 1000]) expect(countingStage(stage)!(count)).toEqual(executed(stage, count));
  });

  it.each<[QueryStage | undefined]>([
    [undefined],
    [{ $limit: 1 }],
    [{ $group: { _id: '$name', n: { $sum: 1 } } }],
    [{ $group: { _id: 'x', n: { $sum: 1 } } }],
    [{ $group: { n: { $sum: 1 } } }],
    [{ $group: { _id: null, n: { $sum: '$n' } } }],
    [{ $group: { _id: null, n: { $sum: Infinity } } }],
    [{ $group: { _id: null, n: { $sum: 1, $max: 1 } } }],
    [{ $facet: { groups: [{ $limit: 1 }, { $count: 'n' }] } }],
    [{ $facet: { groups: [{ $count: 'n' }], others: [{ $sortByCount: '$name' }] } }],
    [{ $facet: { groups: [] } }],
  ])('is not %j', (stage) => {
    expect(countingStage(stage)).toBeNull();
  });
});
