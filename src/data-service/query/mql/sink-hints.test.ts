import { expect, it } from 'vitest';
import { beyondDates, dateText } from './sink-values.ts';
import { sinkHints } from './sink-hints.ts';

const within = (path: string, from: unknown, to: unknown, inclusive = true) => {
  const bound = (value: unknown) => (value === null ? null : { value, inclusive: inclusive || value === beyondDates });
  return { path, from: bound(from), to: bound(to) };
};
const noon = new Date('2026-03-11T12:00:00Z');

it.each([
  [[], []],
  [[{ $match: { n: 5 } }], [within('n', 5, 5)]],
  [
    [{ $match: { 'a.b': 'x' } }, { $match: { ok: true } }],
    [within('a.b', 'x', 'x'), within('ok', true, true)],
  ],
  [[{ $match: { n: { $gt: 1, $lte: 9 } } }], [within('n', 1, null, false), within('n', null, 9)]],
  [[{ $match: { n: { $gte: 1, $lt: 9 } } }], [within('n', 1, null), within('n', null, 9, false)]],
  [[{ $match: { $and: [{ n: 1 }, { m: 2 }] } }], [within('n', 1, 1), within('m', 2, 2)]],
  [[{ $match: { at: { $gte: noon } } }], [within('at', dateText(noon), beyondDates)]],
  [[{ $match: { at: { $gt: noon } } }], [within('at', dateText(noon), beyondDates, false)]],
  [[{ $match: { at: { $lt: noon } } }], [within('at', null, dateText(noon), false)]],
  [[{ $match: { at: noon } }], [within('at', dateText(noon), dateText(noon))]],
  [[{ $match: { $or: [{ n: 1 }] } }, { $match: { n: { $ne: 1 } } }, { $match: { n: { $in: [1] } } }], []],
  [[{ $match: { n: null } }, { $match: { n: NaN } }, { $match: { n: { a: 1 } } }, { $match: { n: [1] } }], []],
  [[{ $match: { at: new Date(NaN) } }], []],
  [[{ $match: 5 }], []],
  [[{ $limit: 1 }, { $match: { n: 5 } }], []],
])('of %j are %j', (stages, hints) => {
  expect(sinkHints(stages)).toEqual(hints);
});

it('order dates as texts', () => {
  const dates = ['-271821-04-20', '-000001-01-01', '1969-12-31', '1970-01-01', '2026-03-11', '+275760-09-13'];
  const texts = dates.map((date) => dateText(new Date(`${date}T00:00:00Z`)));
  expect(texts.toSorted()).toEqual(texts);
  expect(texts.every((text) => text < beyondDates)).toBe(true);
});
