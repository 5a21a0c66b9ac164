import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { OpType } from 'mingo/core';
import { defaultQueryLimits, operatorBounds } from '../query-limits.ts';
import type { QueryStage } from '../query-document.ts';
import { allowedOperators, allowedStages } from './allowed-operators.ts';
import { checkStages } from './check-stages.ts';
import { mingoContext } from './mingo-context.ts';
import { parseStages } from './parse-stages.ts';

describe('checkStages', () => {
  const refused: readonly [QueryStage, string][] = [
    [{ $lookup: { from: 'x', as: 'y' } }, '$lookup is not allowed'],
    [{ $out: 'x' }, '$out is not allowed'],
    [{ $merge: { into: 'x' } }, '$merge is not allowed'],
    [{ $facet: { a: [{ $limit: 1 }] } }, '$facet is not allowed'],
    [{ $unionWith: 'x' }, '$unionWith is not allowed'],
    [{ $match: { $where: 'true' } }, '$where is not allowed'],
    [{ $match: { $or: [{ a: 1 }, { $and: [{ $where: 'true' }] }] } }, '$where is not allowed'],
    [{ $project: { x: { $literal: { $function: {} } } } }, '$function is not allowed'],
    [{ $group: { _id: null, x: { $accumulator: {} } } }, '$accumulator is not allowed'],
    [{ $match: { $jsonSchema: {} } }, '$jsonSchema is not known'],
    [{ $match: { a: 1 }, $limit: 1 }, 'exactly one field'],
    [{}, 'exactly one field'],
  ];
  it.each(refused)('refuses %j', (stage, message) => {
    expect(() => checkStages([{ $match: {} }, stage])).toThrow(message);
  });

  const misshapen: readonly [QueryStage, string][] = [
    [{ $set: 5 }, 'Stage 1: $set takes a document of fields and their values, not 5.'],
    [{ $project: {} }, '$project takes a document of at least one field, not {}.'],
    [{ $group: { n: { $sum: 1 } } }, '$group takes a document with an _id'],
    [{ $sort: {} }, '$sort takes a document of paths, each 1 (ascending) or -1 (descending), not {}.'],
    [{ $sort: { a: 2 } }, '$sort takes'],
    [{ $sort: 'a' }, '$sort takes'],
    [{ $limit: 0 }, '$limit takes a whole number of at least 1, not 0.'],
    [{ $skip: -1 }, '$skip takes a whole number of at least 0, not -1.'],
    [{ $count: '$n' }, '$count takes the name of a field, not "$n".'],
    [{ $unset: 5 }, '$unset takes a path, or a list of paths, not 5.'],
    [{ $unwind: 'tags' }, '$unwind takes a path as "$tags"'],
    [{ $replaceRoot: {} }, '$replaceRoot takes a document with a newRoot, not {}.'],
    [{ $replaceWith: 5 }, '$replaceWith takes an expression that gives a document, not 5.'],
    [{ $sortByCount: 'tags' }, '$sortByCount takes a path as "$tags", or an expression, not "tags".'],
    [{ $bucketAuto: { groupBy: '$a' } }, '$bucketAuto takes a document with groupBy and buckets'],
    [{ $densify: {} }, '$densify takes a document with a field and a range'],
    [{ $fill: {} }, '$fill takes a document with an output, not {}.'],
    [{ $setWindowFields: {} }, '$setWindowFields takes a document with an output, not {}.'],
    [{ $sort: { a: 1, b: true } }, '$sort takes'],
    [{ $limit: 1.5 }, '$limit takes'],
    [{ $skip: '1' }, '$skip takes'],
    [{ $count: '' }, '$count takes'],
    [{ $count: 'a.b' }, '$count takes'],
    [{ $count: 5 }, '$count takes'],
    [{ $unset: [] }, '$unset takes'],
    [{ $unset: ['a', ''] }, '$unset takes'],
    [{ $unset: '' }, '$unset takes'],
    [{ $unwind: '$$ROOT' }, '$unwind takes'],
    [{ $unwind: '$' }, '$unwind takes'],
    [{ $unwind: { path: 'tags' } }, '$unwind takes'],
    [{ $replaceRoot: { newRoot: 'a' } }, '$replaceRoot takes'],
    [{ $bucketAuto: { buckets: 2 } }, '$bucketAuto takes'],
    [{ $bucketAuto: { groupBy: '$a', buckets: 0 } }, '$bucketAuto takes'],
    [{ $densify: { field: '', range: { step: 1 } } }, '$densify takes'],
    [{ $densify: { field: 'at', range: { step: Infinity } } }, '$densify takes'],
    [{ $densify: { field: 'at', range: 1 } }, '$densify takes'],
    [{ $fill: { output: {} } }, '$fill takes'],
    [{ $setWindowFields: { output: 1 } }, '$setWindowFields takes'],
    [{ $match: { a: { $all: 'x' } } }, 'Stage 1 ($match): $all takes a list, not "x".'],
    [{ $match: { a: { $in: 'x'.repeat(78) } } }, `not "${'x'.repeat(78)}".`],
    [{ $match: { a: { $in: 'x'.repeat(79) } } }, `not "${'x'.repeat(79)}….`],
    [{ $match: { a: { $in: 5 } } }, 'Stage 1 ($match): $in takes a list, not 5.'],
    [{ $match: { a: { $nin: 'x'.repeat(200) } } }, 'x…'],
  ];
  it.each(misshapen)('refuses %j in words', (stage, message) => {
    expect(() => checkStages([{ $match: {} }, stage])).toThrow(message);
    expect(() => checkStages([{ $match: {} }, stage])).toThrow(expect.objectContaining({ code: 'invalid-query' }));
  });

  it.each<QueryStage>([
    { $addFields: {} },
    { $sort: { 'a.b': -1, c: 1 } },
    { $skip: 0 },
    { $unset: ['a', 'b'] },
    { $unwind: { path: '$a', preserveNullAndEmptyArrays: true } },
    { $replaceRoot: { newRoot: '$$ROOT' } },
    { $replaceWith: { a: 1 } },
    { $sortByCount: { $size: '$tags' } },
    { $densify: { field: 'at', range: { step: 1, unit: 'hour', bounds: 'full' } } },
    { $group: { _id: null } },
    { $limit: 1 },
    { $count: 'n' },
    { $unset: 'a' },
    { $unwind: '$a.b' },
    { $replaceWith: '$a' },
    { $sortByCount: '$a' },
    { $bucketAuto: { groupBy: { $add: ['$a', 1] }, buckets: 1 } },
    { $fill: { output: { a: { value: 0 } } } },
    { $setWindowFields: { output: { n: { $sum: 1 } } } },
    { $match: { a: { $in: [], $nin: [1], $all: ['x'] } } },
    { $project: { x: { $literal: { $in: 5 } } } },
  ])('takes %j', (stage) => {
    expect(() => checkStages([stage])).not.toThrow();
  });

  it('lets a literal hold names with a dollar', () => {
    expect(() => checkStages([{ $project: { x: { $literal: { $price: 1 } } } }])).not.toThrow();
  });

  it('allows only what runs', () => {
    const context = mingoContext(operatorBounds(defaultQueryLimits));
    const types = Object.values(OpType);
    const runs = (name: string) => types.some((type) => context.getOperator(type, name) !== null);
    expect([...allowedStages].filter((name) => context.getOperator(OpType.PIPELINE, name) === null)).toEqual([]);
    expect([...allowedOperators].filter((name) => !runs(name))).toEqual(['$options']);
  });
});

describe('parseStages', () => {
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const date = new Date('2026-03-01T00:00:00Z');

  const parsed: readonly [string, Uint8Array, QueryStage][] = [
    ['BSON', serialize({ $match: { at: date } }), { $match: { at: date } }],
    ['JSON text', text({ $match: { a: 1 } }), { $match: { a: 1 } }],
    [
      'extended JSON dates',
      text({ $match: { at: { $gte: { $date: date.toISOString() } } } }),
      { $match: { at: { $gte: date } } },
    ],
    [
      'extended JSON dates in BSON',
      serialize({ $match: { at: { $date: date.toISOString() } } }),
      { $match: { at: date } },
    ],
    [
      'canonical extended JSON',
      text({ $match: { at: { $date: { $numberLong: `${date.getTime()}` } } } }),
      { $match: { at: date } },
    ],
    ['64-bit integers', serialize({ $match: { n: 2n ** 40n } }), { $match: { n: 2 ** 40 } }],
    ['patterns', serialize({ $match: { s: /^a/i } }), { $match: { s: /^a/i } }],
  ];
  it.each(parsed)('reads %s', (_, bytes, stage) => expect(parseStages([bytes])).toEqual([stage]));

  it('takes a thousand stages, no more', () => {
    const stages = (count: number) => Array.from({ length: count }, () => text({ $match: {} }));
    expect(parseStages(stages(1000))).toHaveLength(1000);
    expect(() => parseStages(stages(1001))).toThrow('A pipeline has at most 1000 stages; this one has 1001.');
  });

  const malformed: readonly [string, Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['bytes that are neither', new Uint8Array([5, 0, 0, 0, 1, 2, 3])],
    ['BSON that ends early', serialize({ $match: {} }).slice(0, -2)],
    ['a JSON array', text([{ $match: {} }])],
    ['a date that is none', text({ $match: { at: { $date: 'yesterday' } } })],
    ['a nest of a thousand levels', text(nest(1000))],
  ];
  it.each(malformed)('refuses %s', (_, bytes) => {
    expect(() => parseStages([bytes])).toThrow(expect.objectContaining({ code: 'invalid-query' }));
  });
});

function nest(levels: number): unknown {
  return levels === 0 ? 1 : { a: nest(levels - 1) };
}
