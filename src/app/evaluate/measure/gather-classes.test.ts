import { expect, it } from 'vitest';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import { gatherClasses } from './gather-classes.ts';

const result = (labels: readonly string[], classes: readonly number[] | null) =>
  ({
    image: { labels },
    raw: { labels: ['Cat', 'dog'], classes: classes && Float64Array.from(classes) },
  }) as unknown as EvaluatedImage;

it('takes the first label of an image that the model can report, and leaves the others out', () => {
  const gathered = gatherClasses([
    result(['indoors', 'DOG'], [0.3, 0.7]),
    result([], [0.5, 0.5]),
    result(['horse'], [1, 0]),
    result(['cat'], [0.6, 0.4]),
  ])!;
  expect([...gathered.classified.truth]).toEqual([1, 0]);
  expect([...gathered.classified.scores]).toEqual([0.3, 0.7, 0.6, 0.4]);
  expect([gathered.leftOutCount, gathered.images.length]).toEqual([2, 2]);
  expect(gathered.leftOutLabels).toEqual(['horse']);
});

it('is nothing for a service that finds boxes', () => expect(gatherClasses([result(['cat'], null)])).toBeNull());
