import { expect, it } from 'vitest';
import { memoizeByObject } from './memoize-by-object.ts';

it('makes one for each owner, once, with what is first given', () => {
  const made: string[] = [];
  const listOf = memoizeByObject((owner: { readonly name: string }, first: string) => {
    made.push(`${owner.name} ${first}`);
    return [first];
  });
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  expect(listOf(a, 'x')).toBe(listOf(a, 'y'));
  expect(listOf(b, 'z')).toEqual(['z']);
  expect(made).toEqual(['a x', 'b z']);
});

it('makes nothing twice, even nothing', () => {
  let count = 0;
  const of = memoizeByObject((_: object) => void (count += 1));
  const owner = {};
  expect([of(owner), of(owner), count]).toEqual([undefined, undefined, 1]);
});
