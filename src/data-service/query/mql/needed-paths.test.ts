import { describe, expect, it } from 'vitest';
import type { QueryStage } from '../query-document.ts';
import { neededPaths } from './needed-paths.ts';

const last: QueryStage = { $count: 'n' };

describe('the paths that a pipeline can look at', () => {
  it.each<[QueryStage[], string[]]>([
    [[last], []],
    [
      [{ $match: { a: 1, 'b.c': { $gt: 1 } } }, last],
      ['a', 'b.c'],
    ],
    [
      [{ $match: { $and: [{ a: 1 }, { $or: [{ b: 1 }, { $nor: [{ c: 1 }] }] }] } }, last],
      ['a', 'b', 'c'],
    ],
    [
      [{ $match: { $expr: { $gt: ['$a', '$b.c'] } } }, last],
      ['a', 'b.c'],
    ],
    [[{ $limit: 1 }, { $skip: 1 }, { $sample: { size: 1 } }, { $unset: 'x' }, last], []],
    [
      [{ $sort: { a: 1, 'b.c': -1 } }, last],
      ['a', 'b.c'],
    ],
    [
      [{ $addFields: { x: '$a' } }, { $set: { y: { $add: ['$b', 1] } } }, last],
      ['a', 'b'],
    ],
    [[{ $group: { _id: '$a', n: { $sum: '$b.c' } } }], ['a', 'b.c']],
    [[{ $group: { _id: '$a' } }, { $match: { b: 1 } }], ['a']],
    [[{ $bucket: { groupBy: '$a', boundaries: [0, 1] } }], ['a']],
    [[{ $bucketAuto: { groupBy: '$a', buckets: 2 } }], ['a']],
    [[{ $sortByCount: '$a' }], ['a']],
    [[{ $replaceRoot: { newRoot: '$a.b' } }], ['a.b']],
    [[{ $replaceWith: { x: '$a', now: '$$NOW' } }], ['a']],
    [[{ $project: { _id: 0, a: 1, b: true, c: '$d.e', f: { $literal: '$g' } } }], ['a', 'b', 'd.e']],
    [[{ $project: { _id: false, a: { $map: { input: '$b', in: '$$this.c' } } } }], ['b']],
    [[{ $group: { _id: '$a', n: { $sum: '$a.b' }, m: { $sum: '$ab' } } }], ['a', 'ab']],
    [[{ $facet: { x: [{ $match: { a: 1 } }, last], y: [{ $group: { _id: '$b' } }] } }], ['a', 'b']],
  ])('%j are %j', (stages, paths) => {
    expect(neededPaths(stages)).toEqual(paths);
  });

  it.each<[QueryStage[]]>([
    [[]],
    [[{ $match: { a: 1 } }]],
    [[{ $unwind: '$a' }, last]],
    [[{ $match: { $where: 'x' } }, last]],
    [[{ $match: { $and: { a: 1 } } }, last]],
    [[{ $match: { $or: [{ a: 1 }, 5] } }, last]],
    [[{ $match: 5 }, last]],
    [[{ $match: { $expr: '$$ROOT' } }, last]],
    [[{ $sort: 5 }, last]],
    [[{ $set: { a: '$$CURRENT.b' } }, last]],
    [[{ $set: { a: { $getField: 'b' } } }, last]],
    [[{ $set: { a: { $setField: {} } } }, last]],
    [[{ $group: { _id: null, x: { $topN: { sortBy: { a: 1 } } } } }]],
    [[{ $group: { _id: null, x: { $push: ['$a', '$$ROOT'] } } }]],
    [[{ $project: { a: 0 } }]],
    [[{ $project: { a: false } }]],
    [[{ $project: { _id: 1, a: 1 } }]],
    [[{ $project: { 'a.$': 1 } }]],
    [[{ $project: { a: { b: 1 } } }]],
    [[{ $project: { a: { $slice: 1 } } }]],
    [[{ $project: { a: { $elemMatch: {} } } }]],
    [[{ $project: 5 }]],
    [[{ $facet: { x: [{ $match: { a: 1 } }] } }]],
    [[{ $facet: { x: 5 } }]],
    [[{ $facet: 5 }]],
  ])('%j may be any', (stages) => {
    expect(neededPaths(stages)).toBeNull();
  });
});
