import { expect, it } from 'vitest';
import { requestedRange } from './byte-range.ts';

it.each([
  [null, 'whole'],
  ['', 'whole'],
  ['bytes=0-', { start: 0, end: 10 }],
  ['bytes=0-0', { start: 0, end: 1 }],
  ['Bytes=2-4', { start: 2, end: 5 }],
  ['bytes=2-99', { start: 2, end: 10 }],
  ['bytes=9-', { start: 9, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-99', { start: 0, end: 10 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=4-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=a-b', 'whole'],
] as const)('of ten bytes, %j asks for %j', (header, expected) => {
  expect(requestedRange(header, 10)).toEqual(expected);
});

it('has nothing to give of an empty file', () => {
  expect(requestedRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(requestedRange('bytes=-1', 0)).toBe('unsatisfiable');
});
