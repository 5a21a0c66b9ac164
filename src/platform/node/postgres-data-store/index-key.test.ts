import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StructValue } from '../../../data-service/ports/stored-captures.ts';
import type { FieldHint } from '../../../data-service/ports/tabular-store.ts';
import { indexKey, keysWithin } from './index-key.ts';

const value = fc.oneof(
  fc.constantFrom(-Infinity, -1, 0, 1, Infinity, '', 'x', '\0', '\ud800', '\uffff', '😀', false, true),
  fc.constantFrom('x'.repeat(199), 'x'.repeat(200), 'x'.repeat(201), `${'x'.repeat(200)}y`),
  fc.double({ noNaN: true }).map((number) => number + 0),
  fc.string({ unit: 'binary' }),
);
const bound = fc.option(fc.record({ value: value as fc.Arbitrary<StructValue>, inclusive: fc.boolean() }), {
  nil: null,
});

const isWithin = (key: Buffer, { first, hasFirst, last, hasLast }: ReturnType<typeof keysWithin>): boolean =>
  key.compare(first) > (hasFirst ? -1 : 0) && key.compare(last) < (hasLast ? 1 : 0);

const meets = (of: typeof value extends fc.Arbitrary<infer Value> ? Value : never, { from, to }: FieldHint): boolean =>
  [from, to].every((one) => one === null || typeof one.value === typeof of) &&
  (from === null || from.value! < of || (from.inclusive && from.value === of)) &&
  (to === null || to.value! > of || (to.inclusive && to.value === of));

it('orders values of a type as JavaScript does, long texts by their beginning', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      fc.pre(typeof a === typeof b);
      const order = Math.sign(indexKey(a).compare(indexKey(b)));
      const isLong = [a, b].every((one) => typeof one === 'string' && one.length >= 200);
      expect(order).toBeOneOf([a < b ? -1 : a > b ? 1 : 0, ...(isLong ? [0] : [])]);
    }),
    { seed: 20261130 },
  );
});

it('finds all that a hint is met by, and of short values nothing else', () => {
  fc.assert(
    fc.property(value, bound, bound, (of, from, to) => {
      fc.pre((from ?? to) !== null && (from === null || to === null || typeof from.value === typeof to.value));
      const hint = { path: 'x', from, to };
      const isLong = [of, from?.value, to?.value].some((one) => typeof one === 'string' && one.length >= 200);
      const found = isWithin(indexKey(of), keysWithin(hint));
      if (isLong) expect(found || !meets(of, hint)).toBe(true);
      else expect(found).toBe(meets(of, hint));
    }),
    { seed: 20261130, numRuns: 2000 },
  );
});

it('keeps a key short', () => {
  expect(indexKey('ü'.repeat(1e6))).toHaveLength(401);
});
