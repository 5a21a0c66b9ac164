import { expect, it } from 'vitest';
import { comparedWords, eventWords, heldWords, keptShare, keptWords } from './filter-words.ts';

const nothing = { window: 0, cooldown: 0, triggered: 0, 'held-back': 0, failed: 0 };

const runOf = (given: number, asked: number, captures = nothing, waiting = 0) => ({
  asked,
  counts: { captures, given },
  waiting,
  durationMs: 60_000,
});

it('says how much is kept, and what that is a day', () => {
  expect(keptWords(runOf(14, 60), 100_000)).toBe(
    'Keeps 14 images instead of 60 (23 %): about 20,000 images and 2.00 GB a day.',
  );
  expect(keptWords(runOf(0, 60), 100_000)).toContain('Keeps 0 images instead of 60 (0 %)');
});

it('says it in images alone where the size of a picture is not known', () =>
  expect(keptWords(runOf(14, 60), null)).toBe('Keeps 14 images instead of 60 (23 %): about 20,000 images a day.'));

it.each([
  [60_001, 'Keeps 14 images instead of 60 (23 %).'],
  [60_000, 'Keeps 14 images instead of 60 (23 %): about 20,000 images a day.'],
])('says no day of less than %s ms', (leastMs, words) => expect(keptWords(runOf(14, 60), null, leastMs)).toBe(words));

it('has no share of nothing', () => expect(keptShare(runOf(0, 0))).toBe(0));

it('says what came of the calls that stored nothing new', () => {
  expect(heldWords(runOf(0, 0))).toBe('');
  const captures = { window: 9, cooldown: 2, triggered: 1, 'held-back': 30, failed: 1 };
  expect(heldWords(runOf(1, 43, captures, 3))).toBe(
    '1 trigger · 30 checks without a trigger · 2 calls in a cool-down · 1 call failed: the service gives no such results · 3 images not yet collected at the end.',
  );
});

it('compares two settings', () => {
  const [now, before] = [runOf(14, 100), runOf(31, 100)];
  expect(comparedWords({ run: now, lost: 3 }, { run: before, lost: 1 }, 41)).toBe(
    'Keeps 14 % instead of 31 %, and loses 3 of 41 events instead of 1.',
  );
});

it.each([
  [8, [], '8 of 8 events have an image.'],
  [8, ['cat', 'car', 'car'], '5 of 8 events have an image, but not 2 of car, 1 of cat.'],
  [1, ['cat'], '0 of 1 event have an image, but not 1 of cat.'],
])('says which of %s events have no image', (events, labels, words) =>
  expect(
    eventWords(
      events,
      labels.map((label) => ({ label })),
    ),
  ).toBe(words),
);
