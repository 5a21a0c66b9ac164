import { describe, expect, it } from 'vitest';
import { inWords, parseByteSize } from './byte-size.ts';

describe('parseByteSize', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    ['500MB', 500e6],
    ['1.5 tb', 1.5e12],
    ['2GiB', 2 ** 31],
    ['1 KB', 1000],
    ['MB', null],
    ['-1MB', null],
    ['5 parsecs', null],
    ['', null],
  ])('reads %j', (text, bytes) => expect(parseByteSize(text)).toBe(bytes));
});

describe('inWords', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 kB'],
    [820_400_000, '820 MB'],
    [2e9, '2 GB'],
    [3.25e12, '3.3 TB'],
  ])('says %d', (bytes, words) => expect(inWords(bytes)).toBe(words));
});
