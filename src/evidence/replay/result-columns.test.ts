import { expect, it } from 'vitest';
import { storedColumns } from '../../../tests/stored-columns.ts';
import { ResultColumnsBuilder, type ResultColumns } from './result-columns.ts';

const columns = storedColumns;

it('puts pieces together under one list of names', () => {
  const builder = new ResultColumnsBuilder();
  builder.append(columns([[1000, [0, 0.4], [1, 0.6]], [2000]], ['cat', 'dog']));
  builder.append(
    columns(
      [
        [2000, [0, 0.7]],
        [3000, [1, 0.1]],
      ],
      ['dog', 'Cat'],
    ),
  );
  expect(builder.build()).toEqual(
    columns([[1000, [0, 0.4], [1, 0.6]], [2000], [2000, [1, 0.7]], [3000, [2, 0.1]]], ['cat', 'dog', 'Cat']),
  );
});

it('gives views that later pieces leave as they are', () => {
  const builder = new ResultColumnsBuilder();
  builder.append(columns([[1, [0, 0.4]]], ['cat']));
  const before = builder.build();
  const many = Array.from({ length: 5000 }, (_, at) => [at + 2, [0, at / 5000], [0, 0.5]] as const);
  builder.append(columns(many, ['dog']));
  expect(before).toEqual(columns([[1, [0, 0.4]]], ['cat']));
  const all = builder.build();
  expect([builder.frameCount, all.labels.length]).toEqual([5001, 10001]);
  expect([all.timesMs[5000], all.starts[5000], all.scores[9999], all.labels[9999]]).toEqual([
    5001,
    9999,
    4999 / 5000,
    1,
  ]);
});

it('has one start where there is no frame', () => {
  const builder = new ResultColumnsBuilder();
  builder.append(columns([], []));
  expect(builder.build()).toEqual(columns([], []));
});

const good = columns(
  [
    [1000, [0, 0.4]],
    [2000, [0, 0.5]],
  ],
  ['cat'],
);

it.each<[string, ResultColumns, RegExp]>([
  ['too few starts', { ...good, starts: Uint32Array.of(0, 2) }, /2 frames need 3 starts from 0 to 2, got 2/],
  ['starts that begin late', { ...good, starts: Uint32Array.of(1, 1, 2) }, /got 3 from 1/],
  ['starts that end early', { ...good, starts: Uint32Array.of(0, 1, 1) }, /from 0 to 1\./],
  ['starts that fall', { ...good, starts: Uint32Array.of(0, 3, 2) }, /Starts must not fall, got 2 after 3/],
  ['too few scores', { ...good, scores: Float64Array.of(1) }, /2 labels need as many scores, got 1/],
  ['times that fall', { ...good, timesMs: Float64Array.of(2000, 1000) }, /got 1000 after 2000/],
  ['a time that is none', { ...good, timesMs: Float64Array.of(2000, NaN) }, /got NaN after 2000/],
  ['a label without a name', { ...good, names: [] }, /Label 0 has no name: there are 0 names/],
  ['a piece before the one that is there', { ...good, timesMs: Float64Array.of(499, 2000) }, /got 499 after 500/],
])('refuses %s and appends nothing of it', (_, piece, words) => {
  const builder = new ResultColumnsBuilder();
  builder.append(columns([[500]], []));
  expect(() => builder.append(piece)).toThrow(words);
  builder.append(columns([[500]], []));
  expect(builder.build()).toEqual(columns([[500], [500]], []));
});
