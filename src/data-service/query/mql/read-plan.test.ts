import { describe, expect, it } from 'vitest';
import type { QueryStage, QueryValue } from '../query-document.ts';
import { planReading, type ReadPlan } from './read-plan.ts';

const all = { start: null, end: null };
const at = (ms: number) => new Date(ms);
const plan = (stages: readonly QueryStage[], interval: { start: number | null; end: number | null } = all): ReadPlan =>
  planReading('a', interval, stages);

describe('the conditions that a store tests itself', () => {
  it.each<[QueryValue, object]>([
    [{}, {}],
    [{ organization_id: 'a' }, {}],
    [
      { part_id: 'p', robot_id: 'r' },
      { partId: 'p', robotId: 'r' },
    ],
    [
      { component_type: 't', component_name: 'n', method_name: 'm' },
      { componentType: 't', componentName: 'n', methodName: 'm' },
    ],
    [{ part_id: { $eq: 'p' } }, { partId: 'p' }],
    [{ $and: [{ part_id: 'p' }, { $and: [{ part_id: 'p' }] }] }, { partId: 'p' }],
    [{ location_id: 'lab' }, { locationIds: ['lab'] }],
    [{ location_id: { $in: ['lab', 'yard'] } }, { locationIds: ['lab', 'yard'] }],
    [{ tags: 'x' }, { tags: ['x'] }],
    [{ tags: { $in: ['x', 'y'] } }, { tags: ['x', 'y'] }],
    [{ time_requested: { $gte: at(1), $lt: at(3) } }, { interval: { start: 1000, end: 3000 } }],
    [{ time_requested: { $gt: at(1), $lte: at(3) } }, { interval: { start: 2000, end: 4000 } }],
    [{ time_requested: at(5) }, { interval: { start: 5000, end: 6000 } }],
    [
      { $and: [{ time_requested: { $gte: at(1) } }, { time_requested: { $gte: at(3), $lt: at(9) } }] },
      { interval: { start: 3000, end: 9000 } },
    ],
    [
      { $and: [{ time_requested: { $lt: at(4) } }, { time_requested: { $lt: at(9) } }] },
      { interval: { start: null, end: 4000 } },
    ],
  ])('%j exactly', (condition, filter) => {
    const { answered, hints, filter: planned } = plan([{ $match: condition }, { $limit: 1 }]);
    expect({ answered, hints, planned }).toMatchObject({
      answered: 1,
      hints: [],
      planned: { organizationId: 'a', ...filter },
    });
    expect(planned).toMatchObject({ includeInternal: false, additionalParameters: null });
  });

  it('narrow the interval of the source', () => {
    const { filter } = plan([{ $match: { time_requested: { $gte: at(1), $lt: at(9) } } }], { start: 2000, end: 5000 });
    expect(filter.interval).toEqual({ start: 2000, end: 5000 });
  });

  const hint = (path: string, from: unknown, to: unknown) => [{ path, from, to }];
  it.each<[QueryValue, object[]]>([
    [5, []],
    [{ $or: [{ part_id: 'p' }] }, []],
    [
      { organization_id: 'b' },
      hint('organization_id', { value: 'b', inclusive: true }, { value: 'b', inclusive: true }),
    ],
    [{ organization_id: { $ne: 'a' } }, []],
    [{ part_id: '' }, hint('part_id', { value: '', inclusive: true }, { value: '', inclusive: true })],
    [{ part_id: 5 }, hint('part_id', { value: 5, inclusive: true }, { value: 5, inclusive: true })],
    [{ part_id: { $gt: 'p' } }, hint('part_id', { value: 'p', inclusive: false }, null)],
    [{ location_id: { $in: [] } }, []],
    [{ location_id: { $in: ['lab', ''] } }, []],
    [{ tags: { $in: ['x', 5] } }, []],
    [{ time_requested: { $ne: at(1) } }, []],
    [{ time_requested: at(Number.NaN) }, []],
    [{ 'data.a': { $gte: 1 } }, hint('data.a', { value: 1, inclusive: true }, null)],
    [{ 'data.a': { $lt: 1 } }, hint('data.a', null, { value: 1, inclusive: false })],
    [{ 'data.a': { $lte: true } }, hint('data.a', null, { value: true, inclusive: true })],
    [{ 'data.a': { $gt: Infinity } }, []],
    [{ 'data.a': null }, []],
    [{ 'data.a': { b: 1 } }, []],
  ])('%j in part, with what a store may skip by', (condition, hints) => {
    const { answered, hints: planned, limit } = plan([{ $match: condition }, { $limit: 1 }]);
    expect({ answered, hints: planned, limit }).toEqual({ answered: 0, hints, limit: Infinity });
  });

  it.each<QueryValue>([
    { $and: [{ part_id: 'p' }, { part_id: 'q' }] },
    { $and: [{ tags: 'x' }, { tags: 'y' }] },
    { $and: [{ location_id: 'x' }, { location_id: 'y' }] },
  ])('%j leave the second to the pipeline', (condition) => {
    expect(plan([{ $match: condition }]).answered).toBe(0);
  });
});

describe('how much is read', () => {
  it.each<[QueryStage[], ReadPlan['order'], number]>([
    [[{ $limit: 3 }], 'ascending', 3],
    [[{ $skip: 2 }, { $skip: 1 }, { $limit: 3 }], 'ascending', 6],
    [[{ $sort: { time_requested: 1 } }, { $limit: 3 }], 'ascending', 3],
    [[{ $sort: { time_requested: -1 } }, { $project: { tags: 0 } }, { $limit: 3 }], 'descending', 3],
    [[{ $addFields: { a: 1 } }, { $set: { a: 1 } }, { $unset: 'a' }, { $limit: 1 }], 'ascending', 1],
    [[{ $replaceWith: '$data' }, { $replaceRoot: { newRoot: '$a' } }, { $limit: 1 }], 'ascending', 1],
    [[{ $match: { part_id: 'p' } }, { $match: { tags: 'x' } }, { $limit: 4 }], 'ascending', 4],
    // all, where a limit is not of the rows in order of time
    [[], 'ascending', Infinity],
    [[{ $sort: { time_requested: -1 } }], 'ascending', Infinity],
    [[{ $sort: { time_requested: -1, part_id: 1 } }, { $limit: 3 }], 'ascending', Infinity],
    [[{ $sort: { part_id: -1 } }, { $limit: 3 }], 'ascending', Infinity],
    [[{ $sort: { time_requested: 2 } }, { $limit: 3 }], 'ascending', Infinity],
    [[{ $limit: 1.5 }], 'ascending', Infinity],
    [[{ $skip: -1 }, { $limit: 1 }], 'ascending', Infinity],
    [[{ $unwind: '$tags' }, { $limit: 1 }], 'ascending', Infinity],
    [[{ $set: { a: 1 } }, { $match: { a: 1 } }, { $limit: 1 }], 'ascending', Infinity],
  ])('by %j', (stages, order, limit) => {
    expect(plan(stages)).toMatchObject({ order, limit });
  });
});

describe('a $group that counts origins', () => {
  const group: QueryStage = { $group: { _id: '$component_name', n: { $sum: 1 } } };
  const counting = (...stages: readonly QueryStage[]): ReadPlan => planReading('a', all, stages, true);

  it('is answered by a store that counts them', () => {
    expect(counting({ $match: { part_id: 'p' } }, group, { $limit: 1 })).toMatchObject({ answered: 2 });
    expect(counting({ $match: { part_id: 'p' } }, group).fromOrigins).not.toBeNull();
    expect(plan([group])).toMatchObject({ answered: 0, fromOrigins: null });
  });

  it.each<[string, QueryStage[]]>([
    ['after a condition that the store cannot test', [{ $match: { 'data.n': 1 } }, group]],
    ['of readings with a tag', [{ $match: { tags: 'x' } }, group]],
    ['after another stage', [{ $limit: 3 }, group]],
    ['that looks at more', [{ $group: { _id: '$component_name', n: { $sum: '$data.n' } } }]],
  ])('is not answered %s', (_, stages) => {
    expect(counting(...stages).fromOrigins).toBeNull();
  });
});
