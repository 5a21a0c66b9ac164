import { describe, expect, it } from 'vitest';
import type { TransformStep } from '../config/machine-config.ts';
import type { TracedStage } from '../vision/trace.ts';
import { boxesOnImage, classesOfImage } from './boxes-on-image.ts';

const source: TracedStage = { step: null, widthPx: 200, heightPx: 100 };
const crop: TransformStep = {
  type: 'crop',
  attributes: { xMin: 50, yMin: 20, xMax: 150, yMax: 80, overlayCropBox: false },
};
const half: TransformStep = { type: 'resize', attributes: { widthPx: 100, heightPx: 50 } };
const turned: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };

const detection = (xMin: number, yMin: number, xMax: number, yMax: number, score = 0.5, label = 'cat') => ({
  ...{ label, score, xMin, yMin, xMax, yMax },
});
const edges = (boxes: ReturnType<typeof boxesOnImage>) =>
  boxes.map((box) => [box.xMinNormalized, box.yMinNormalized, box.xMaxNormalized, box.yMaxNormalized]);

describe('boxesOnImage', () => {
  it.each<[string, TracedStage[], number[], number[]]>([
    ['without steps', [source], [0, 0, 200, 100], [0, 0, 1, 1]],
    ['after a crop', [source, { step: crop, widthPx: 100, heightPx: 60 }], [0, 0, 100, 60], [0.25, 0.2, 0.75, 0.8]],
    ['after a resize', [source, { step: half, widthPx: 100, heightPx: 50 }], [10, 10, 60, 50], [0.1, 0.2, 0.6, 1]],
    // clockwise: the source's left edge is the top
    ['after a quarter turn', [source, { step: turned, widthPx: 100, heightPx: 200 }], [0, 0, 100, 50], [0, 0, 0.25, 1]],
    ['beyond the edges', [source], [-20, 50, 220, 150], [0, 0.5, 1, 1]],
  ])('lie where they are on the source, %s', (_, way, box, expected) => {
    const [found] = edges(boxesOnImage([detection(box[0]!, box[1]!, box[2]!, box[3]!)], way, () => 'id'));
    found!.forEach((edge, at) => expect(edge).toBeCloseTo(expected[at]!, 12));
  });

  it('leaves out what lies outside', () => {
    expect(boxesOnImage([detection(201, 0, 220, 10)], [source], () => 'id')).toEqual([]);
  });

  it('gives the service confidences and labels that it takes', () => {
    const boxes = boxesOnImage(
      [detection(0, 0, 1, 1, 1.25), detection(0, 0, 1, 1, NaN), detection(0, 0, 1, 1, 0.5, ' ')],
      [source],
      (row) => `box-${row}`,
    );
    expect(boxes.map(({ id, label, confidence }) => [id, label, confidence])).toEqual([
      ['box-0', 'cat', 1],
      ['box-1', 'cat', null],
      ['box-2', 'unlabelled', 0.5],
    ]);
    expect(classesOfImage([{ label: '', score: -1 }], () => 'c')).toEqual([
      { id: 'c', label: 'unlabelled', confidence: 0 },
    ]);
  });
});
