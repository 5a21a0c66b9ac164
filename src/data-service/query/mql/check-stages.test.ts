import { serialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { OpType } from 'mingo/core';
import { defaultQueryLimits, operatorBounds } from '../query-limits.ts';
import type { Stage } from '../query-document.ts';
import { allowedOperators, allowedStages } from './allowed-operators.ts';
import { checkStages } from './check-stages.ts';
import { mingoContext } from './mingo-context.ts';
import { parseStages } from './parse-stages.ts';

describe('checkStages', () => {
  const refused: readonly [Stage, string][] = [
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

  const parsed: readonly [string, Uint8Array, Stage][] = [
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
