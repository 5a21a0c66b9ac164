import fc from 'fast-check';
import { Aggregator } from 'mingo/aggregator';
import type { Options } from 'mingo/types';
import { describe, expect, it } from 'vitest';
import { defaultQueryLimits, operatorBounds } from '../query-limits.ts';
import type { QueryDocument, QueryValue, QueryStage } from '../query-document.ts';
import { mingoContext } from './mingo-context.ts';
import { plainGroup } from './plain-group.ts';

const options: Partial<Options> = { context: mingoContext(operatorBounds(defaultQueryLimits)), scriptEnabled: false };

const byMingo = (stage: QueryStage, documents: readonly QueryDocument[]): unknown[] =>
  new Aggregator([stage as Record<string, unknown>], options).run(documents as Record<string, unknown>[]);

function byPlainGroup(stage: QueryStage, documents: readonly QueryDocument[]): unknown[] {
  const group = plainGroup(stage)!;
  for (const document of documents) group.add(document);
  return group.finish();
}

/** Few different values, since equal ones and odd ones are what goes wrong. */
const scalar: fc.Arbitrary<QueryValue> = fc.constantFrom<QueryValue>(
  0,
  -0,
  1,
  2,
  0.1,
  0.2,
  0.3,
  -1.5,
  1e308,
  Infinity,
  -Infinity,
  Number.NaN,
  2 ** 53,
  '',
  'a',
  'b',
  '1',
  'null',
  'undefined',
  true,
  false,
  null,
  undefined,
  new Date(0),
  new Date(1),
  new Date(Number.NaN),
  new Uint8Array([1]),
  /a/,
);
const nested: fc.Arbitrary<QueryValue> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.array(fc.record({ y: scalar }, { requiredKeys: [], noNullPrototype: true }), { maxLength: 2 }),
  fc.record({ y: scalar, z: scalar }, { requiredKeys: [], noNullPrototype: true }),
);
const document = fc.record(
  {
    a: nested,
    x: fc.oneof(nested, fc.record({ y: nested }, { requiredKeys: [], noNullPrototype: true })),
    n: fc.integer(),
    constructor: scalar,
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<QueryDocument>;
/** Mostly numbers, whose sums depend on their order. */
const numbers = fc.record(
  { a: fc.constantFrom('p', 'q'), x: fc.double(), n: fc.integer() },
  { requiredKeys: ['a'], noNullPrototype: true },
);

const path = fc.constantFrom(
  '$a',
  '$x',
  '$n',
  '$x.y',
  '$x.0',
  '$x.y.z',
  '$x..y',
  '$none',
  '$constructor',
  '$a.constructor',
);
const id: fc.Arbitrary<QueryValue> = fc.oneof(
  path,
  fc.constantFrom<QueryValue>(null, 'all', 1, true),
  fc.record({ p: path, q: path }),
  path.map((one) => ({ $ifNull: [one, null] })),
  path.map((one) => ({ p: { $ifNull: [one, null] } })),
  fc.record({ p: path, q: fc.constantFrom<QueryValue>(1, 'a', null) }),
);
const accumulator: fc.Arbitrary<QueryValue> = fc.oneof(
  fc
    .tuple(fc.constantFrom('$sum', '$avg', '$min', '$max', '$first', '$last'), path)
    .map(([name, of]) => ({ [name]: of })),
  fc.constantFrom<QueryValue>({ $sum: 1 }, { $sum: 0.1 }, { $sum: -2 }, { $count: {} }),
);
const group = fc
  .tuple(id, fc.array(accumulator, { maxLength: 4 }))
  .map(([_id, all]): QueryStage => ({ $group: { _id, ...Object.fromEntries(all.map((one, at) => [`f${at}`, one])) } }));

describe('plainGroup', () => {
  it.each([
    ['of every kind', fc.array(document, { maxLength: 12 })],
    ['of numbers', fc.array(numbers as fc.Arbitrary<QueryDocument>, { maxLength: 30 })],
  ])('answers as mingo does, for documents %s', (_, documents) => {
    fc.assert(
      fc.property(group, documents, (stage, all) => {
        expect(byPlainGroup(stage, all)).toStrictEqual(byMingo(stage, all));
      }),
      { seed: 20261121, numRuns: 5000 },
    );
  });

  it('answers as mingo does, by whole documents', () => {
    const ids = fc.constantFrom<QueryValue>('$$ROOT', { p: '$$ROOT' }, { p: '$a', q: '$$ROOT' });
    const plain = document.map(({ constructor: _, n: __, ...rest }) => rest);
    fc.assert(
      fc.property(ids, fc.array(plain, { maxLength: 12 }), (_id, all) => {
        const stage = { $group: { _id, n: { $sum: 1 } } };
        expect(byPlainGroup(stage, all)).toStrictEqual(byMingo(stage, all));
      }),
      { seed: 20261122, numRuns: 2000 },
    );
  });

  it('tells documents apart by a field of any name', () => {
    const x = { constructor: 'x', toString: 1 };
    const y = { toString: 1, constructor: { name: 1 } };
    const documents = [{ a: x }, { a: y }, { a: { toString: 1, constructor: 'x' } }] as unknown as QueryDocument[];
    for (const [_id, of] of [
      ['$a', (a: unknown) => a],
      ['$$ROOT', (a: unknown) => ({ a })],
      [{ p: '$a' }, (p: unknown) => ({ p })],
    ] as const)
      expect(byPlainGroup({ $group: { _id, n: { $sum: 1 } } }, documents)).toEqual([
        { _id: of(x), n: 2 },
        { _id: of(y), n: 1 },
      ]);
  });

  it.each<[string, QueryValue]>([
    ['an expression', { _id: { $toLower: '$a' } }],
    ['a variable', { _id: '$$NOW' }],
    ['another value instead of null', { _id: { $ifNull: ['$a', 0] } }],
    ['one of three values', { _id: { $ifNull: ['$a', '$b', null] } }],
    ['an expression or null', { _id: { $ifNull: [{ $toLower: '$a' }, null] } }],
    ['a sum of an expression', { _id: null, n: { $sum: { $add: ['$a', 1] } } }],
    ['the whole document', { _id: null, n: { $last: '$$ROOT' } }],
    ['an accumulator that it does not know', { _id: null, n: { $push: '$a' } }],
    ['two accumulators in one', { _id: null, n: { $sum: 1, $avg: '$a' } }],
    ['a name that every object has', { _id: null, n: { toString: '$a' } }],
    ['an empty path', { _id: '$' }],
    ['a nested id', { _id: { a: { b: '$a' } } }],
    ['no id', { n: { $sum: 1 } }],
  ])('leaves %s to mingo', (_, spec) => {
    expect(plainGroup({ $group: spec })).toBeNull();
  });

  it('takes of equals the first for the least and the last for the greatest', () => {
    const least = { $min: '$x' };
    const greatest = { $max: '$x' };
    for (const [first, last] of [[0, -0], [-0, 0]] as const) {
      const documents = [{ x: first }, { x: last }];
      const stage = { $group: { _id: null, least, greatest } };
      expect(byPlainGroup(stage, documents)).toStrictEqual([{ _id: null, least: first, greatest: last }]);
      expect(byMingo(stage, documents)).toStrictEqual([{ _id: null, least: first, greatest: last }]);
    }
  }); // prettier-ignore

  it('tells what it holds', () => {
    const running = plainGroup({ $group: { _id: '$a', n: { $sum: 1 }, top: { $max: '$x' } } })!;
    for (const a of ['p', 'q', 'p']) running.add({ a, x: 1 });
    expect(running.held).toBe(2 + 3);
  });
});
