import { expect, it } from 'vitest';
import { randomSource } from '../../../../tests/random-frame.ts';
import { likePattern } from './like-pattern.ts';

it.each([
  ['', '', true],
  ['', 'a', false],
  ['%', '', true],
  ['%%', 'abc', true],
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['abc', 'ab', false],
  ['a%', 'abc', true],
  ['%c', 'abc', true],
  ['%b%', 'abc', true],
  ['a%a', 'a', false],
  ['a%a', 'aa', true],
  ['%ab%ab', 'abab', true],
  ['%ab%ab', 'abxb', false],
  ['%a_c%', 'xxabc', true],
  ['%a_c', 'xxab', false],
  ['_', '😀', true],
  ['__', '😀', false],
  ['%_x', '😀x', true],
  ['50\\%', '50%', true],
  ['50\\%', '500', false],
  ['a\\_b', 'a_b', true],
  ['a\\_b', 'axb', false],
  ['a\\\\%', 'a\\b', true],
  ['%\n%', 'a\nb', true],
  ['a.c', 'abc', false],
])('%j takes %j: %s', (pattern, text, expected) => {
  expect(likePattern(pattern)(text)).toBe(expected);
});

it('takes what a search of all places takes', () => {
  const random = randomSource(11);
  const anyOf = (letters: string, length: number) =>
    Array.from({ length: Math.floor(random() * length) }, () => letters[Math.floor(random() * letters.length)]).join(
      '',
    );
  const isLike = (pattern: string, text: string): boolean => {
    if (pattern === '') return text === '';
    const [next, rest] = [pattern[0], pattern.slice(1)];
    if (next === '%') return isLike(rest, text) || (text !== '' && isLike(pattern, text.slice(1)));
    return text !== '' && (next === '_' || next === text[0]) && isLike(rest, text.slice(1));
  };
  let taken = 0;
  for (let n = 0; n < 3000; n++) {
    const [pattern, text] = [anyOf('ab%_', 8), anyOf('ab', 10)];
    const expected = isLike(pattern, text);
    taken += Number(expected);
    expect(likePattern(pattern)(text), `${text} LIKE ${pattern}`).toBe(expected);
  }
  expect(taken).toBeGreaterThan(300);
});

// A regular expression would be at it for longer than the test may take.
it.each(['', '😀'])('goes through a text once, however many %% there are (beginning with "%s")', (beginning) => {
  const text = beginning + 'a'.repeat(20_000);
  expect(likePattern(`${'%a'.repeat(500)}%b`)(text)).toBe(false);
  expect(likePattern(`${'%a_'.repeat(500)}%b%`)(text)).toBe(false);
  expect(likePattern(`${'%a_'.repeat(500)}%`)(text)).toBe(true);
});
