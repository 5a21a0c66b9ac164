import { describe, expect, it } from 'vitest';
import { copiesInWords } from './copies-in-words.ts';
import { NO_COPIES } from './copy-report.ts';

const source = (name: string, byteLength: number) => ({ id: name, name, byteLength }) as never;

describe('the copies for a reload in words', () => {
  it.each([
    ['none', {}, ''],
    [
      'one',
      { copied: [source('a', 400_000)] },
      '1 file is kept in this browser for a reload: 400 kB of at most 1.00 MB; the oldest are dropped first.',
    ],
    ['some on their way', { copied: [source('a', 1)], waiting: 2 }, 'Copying for a reload: 1 of 3 …'],
    [
      'one too large, which the browser opens again',
      { copied: [source('a', 1), source('b', 1)], onRequest: [source('film.mp4', 9)] },
      '2 files are kept in this browser for a reload: 2 B of at most 1.00 MB; the oldest are dropped first. No copy of film.mp4, as it would be over 1.00 MB: after a reload, one click opens it again.',
    ],
  ])('%s', (_, report, words) => {
    expect(copiesInWords({ ...NO_COPIES, budgetBytes: 1_000_000, ...report })).toBe(words);
  });
});
