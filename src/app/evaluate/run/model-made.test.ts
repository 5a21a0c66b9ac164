import { expect, it } from 'vitest';
import type { TruthImage } from '../ports/truth-source.ts';
import { countModelMade, truthThatCounts } from './model-made.ts';

const boxOf = (label: string, isModelMade: boolean) => ({
  label,
  isModelMade,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
});
const imageOf = (id: string, ...boxes: TruthImage['boxes']): TruthImage => ({
  id,
  name: id,
  sizeBytes: 1,
  boxes,
  labels: [],
  sequence: '',
});
const images = [imageOf('a', boxOf('cat', false), boxOf('cat', true)), imageOf('b', boxOf('dog', false)), imageOf('c')];

it('leaves out what is wanted of the boxes that a model made', () => {
  expect(countModelMade(images)).toBe(1);
  expect(truthThatCounts(images, 'count')).toBe(images);
  expect(truthThatCounts(images, 'without-images').map(({ id }) => id)).toEqual(['b', 'c']);
  const [first, ...others] = truthThatCounts(images, 'without-boxes');
  expect(first!.boxes.map(({ isIgnored }) => isIgnored)).toEqual([false, true]);
  expect(others).toEqual(images.slice(1));
});

it('changes nothing where no model made a box', () => {
  const own = images.slice(1);
  expect([truthThatCounts(own, 'without-boxes'), truthThatCounts(own, 'without-images')]).toEqual([own, own]);
  expect(truthThatCounts(own, 'without-boxes')).toBe(own);
});
