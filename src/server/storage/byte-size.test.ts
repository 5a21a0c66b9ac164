import { describe, expect, it } from 'vitest';
import { parseByteSize } from './byte-size.ts';

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
