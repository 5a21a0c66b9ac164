import { describe, expect, test } from 'vitest';
import { parseFilter, type FilterSubject } from './parse-filter.ts';

const words = {
  kinds: { background: 'Nothing there', class: 'Wrong label', missed: 'Missed' },
  labels: ['person', 'traffic light', 'not'],
};

const subject = (change: Partial<FilterSubject> = {}): FilterSubject => ({
  kind: 'background',
  score: 0.9,
  resultLabel: 'person',
  truthLabel: null,
  width: 40,
  height: 10,
  image: 'Yard 7.jpg',
  ...change,
});
const missed = subject({ kind: 'missed', score: null, resultLabel: null, truthLabel: 'traffic light' });
const confused = subject({ kind: 'class', score: 0.4, truthLabel: 'traffic light' });

const all: Readonly<Record<string, FilterSubject>> = { found: subject(), missed, confused };
const picked = (text: string): string[] => {
  const { matches, error } = parseFilter(text, words);
  expect(error).toBeNull();
  return Object.keys(all).filter((name) => matches!(all[name]!));
};

describe('parseFilter', () => {
  test.each([
    ['', ['found', 'missed', 'confused']],
    ['FP', ['found', 'confused']],
    ['fn', ['missed']],
    ['FP and score > 0.8 and label = person', ['found']],
    ['nothing there', ['found']],
    ['"Nothing there" or wrong label', ['found', 'confused']],
    ['class or missed', ['missed', 'confused']],
    ['score <= 0.9', ['found', 'confused']],
    ['not score > 0.5', ['missed', 'confused']],
    ['score != 0.9', ['confused']],
    ['label = traffic light', ['missed', 'confused']],
    ['label != person', ['missed']],
    ['truth = "traffic light" and not FN', ['confused']],
    ['result=PERSON', ['found', 'confused']],
    ['size < 32', ['found', 'missed', 'confused']],
    ['size=20', ['found', 'missed', 'confused']],
    ['width >= 40 and height < 10', []],
    ['image = yard*', ['found', 'missed', 'confused']],
    ['image = yard', []],
    ['FN or FP and score > 0.8', ['found', 'missed']],
    ['(FN or FP) and score > 0.8', ['found']],
    ['not (FN or score > 0.8)', ['confused']],
    ["label = 'not'", []],
    ['score > 0.9', []],
    ['score >= 0.9', ['found']],
    ['width < 40 or height > 10', []],
    ['width = 40 and height = 10', ['found', 'missed', 'confused']],
    ['(label = person) and FP', ['found', 'confused']],
    ['label = person or FN', ['found', 'missed', 'confused']],
    ['label = person and not FN', ['found', 'confused']],
    ['image = Yard 7.jpg', ['found', 'missed', 'confused']],
    ['image = Yard 7?jpg or image = Yard 77jpg', []],
  ])('%j', (text, names) => expect(picked(text)).toEqual(names));

  test.each([
    [
      'TP',
      '"TP" is not a condition. Say a kind of error (FP, FN, class, place, both, twice, background, missed, wrong label',
    ],
    ['colour = red', 'or compare score, size, width, height, label, truth, result, image.'],
    ['FP and', 'The filter ends where a condition is expected.'],
    ['FP score > 1', '"score" stands where "and" or "or" is expected.'],
    ['score 0.8', 'After "score" comes =, !=, <, <=, > or >=, not "0.8".'],
    ['score >', '"score >" needs a number.'],
    ['score > high', '"score >" needs a number, not "high".'],
    ['label > person', '"label" is a name: compare it by = or !=, not >.'],
    ['label =', '"label =" needs a name.'],
    ["score > ''", '"score >" needs a number, not "".'],
    ['label', 'After "label" comes = or !=.'],
    ['"score" > 1', '"score" is not a condition.'],
    ['label = persn', 'No label is "persn". There are person, traffic light, not.'],
    ['(FP or FN', 'A "(" has no ")" behind it.'],
    ['FP)', 'A ")" has no "(" before it.'],
    ['score ! 3', 'After "score" comes =, !=, <, <=, > or >=, not "!".'],
  ])('says what is wrong with %j', (text, part) => expect(parseFilter(text, words).error).toContain(part));

  test('takes any label where none are given, and lists a few where there are many', () => {
    expect(parseFilter('label = anything').error).toBeNull();
    const labels = Array.from({ length: 80 }, (_, at) => `label ${at}`);
    expect(parseFilter('label = x', { labels }).error).toMatch(/label 7 and 72 more\.$/);
    expect(parseFilter('label = x', { labels: labels.slice(0, 8) }).error).toMatch(/label 7\.$/);
  });
});
