import { describe, expect, it } from 'vitest';
import { boxesOnImage, classesOfImage } from './boxes-on-image.ts';

const place = { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.3, yMaxNormalized: 0.4 };
const detection = (score: number, label = 'cat') => ({ label, score, xMin: 0, yMin: 0, xMax: 1, yMax: 1 });

describe('boxesOnImage', () => {
  it('gives the service places, confidences and labels that it takes', () => {
    const seen = [detection(1.25), detection(NaN), detection(0.5, ' ')];
    expect(
      boxesOnImage(
        seen,
        () => place,
        (row) => `box-${row}`,
      ),
    ).toEqual([
      { id: 'box-0', label: 'cat', confidence: 1, ...place },
      { id: 'box-1', label: 'cat', confidence: null, ...place },
      { id: 'box-2', label: 'unlabelled', confidence: 0.5, ...place },
    ]);
  });

  it('leaves out what lies outside; the others keep the ids of their rows', () => {
    const seen = [detection(0.5, 'outside'), detection(0.5)];
    const boxes = boxesOnImage(
      seen,
      ({ label }) => (label === 'outside' ? null : place),
      (row) => `box-${row}`,
    );
    expect(boxes.map(({ id }) => id)).toEqual(['box-1']);
  });
});

it('gives classes in the same words', () => {
  expect(classesOfImage([{ label: '', score: -1 }], () => 'c')).toEqual([
    { id: 'c', label: 'unlabelled', confidence: 0 },
  ]);
});
