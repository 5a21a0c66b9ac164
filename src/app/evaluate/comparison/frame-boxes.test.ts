import { describe, expect, it } from 'vitest';
import { DetectionSetBuilder, type Box } from '../../../evidence/evaluation/build-sets.ts';
import { compareDetections } from '../../../evidence/evaluation/compare/compare-detections.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import { changeWords } from '../compare/change-words.ts';
import type { Compared } from './comparison.svelte.ts';
import { boxesOfFrame } from './frame-boxes.ts';

type Row = readonly [label: string, x: number, score: number, width?: number];
const labels = ['cat', 'dog'];

const raw = (rows: readonly Row[]): RawImage => ({
  widthPx: 400,
  heightPx: 100,
  labels: ['CAT', 'dog'],
  labelIndex: Uint32Array.from(rows, ([label]) => labels.indexOf(label)),
  score: Float64Array.from(rows, ([, , score]) => score),
  box: Float64Array.from(rows.flatMap(([, x, , width = 20]) => [x, 0, width, 20])),
  seen: null,
  classes: null,
});

/** The second of two images, whose first has two rows on one side and one on the other. */
function compared(first: readonly Row[], second: readonly Row[], thresholds = [0.5, 0.5]) {
  const sides = [
    [
      raw([
        ['cat', 0, 0.9],
        ['cat', 90, 0.9],
      ]),
      raw(first),
    ],
    [raw([['cat', 0, 0.9]]), raw(second)],
  ] as const;
  const [a, b] = sides.map((images) => {
    const builder = new DetectionSetBuilder();
    for (const [image, { labelIndex, score, box }] of images.entries())
      for (const [row, one] of score.entries())
        builder.add(image, labelIndex[row]!, box.subarray(4 * row, 4 * row + 4) as unknown as Box, one);
    return builder.build();
  });
  const at = { firstThresholds: [0.5, 0.5], secondThresholds: thresholds, movedMoreThanPx: 2 };
  const images = [0, 1].map((image) => ({ first: sides[0][image]!, second: sides[1][image]! }));
  const { changes } = compareDetections(a!, b!, at);
  const found = { labels, at, changes, images: images as unknown as Compared['images'] };
  const boxes = boxesOfFrame(found, 1);
  const words = changes
    .filter(({ image }) => image === 1)
    .map((change) =>
      changeWords(
        change,
        boxes.first.find(({ row }) => row === change.first) ?? null,
        boxes.second.find(({ row }) => row === change.second) ?? null,
      ),
    );
  return { boxes, words };
}

describe('the boxes of a frame', () => {
  it('are those that each side keeps, by what becomes of them', () => {
    const { boxes, words } = compared(
      [
        ['cat', 0, 0.9],
        ['cat', 50, 0.8],
        ['cat', 100, 0.7],
        ['dog', 200, 0.3],
      ],
      [
        ['cat', 0, 0.9],
        ['cat', 54, 0.8],
        ['dog', 100, 0.6],
      ],
    );
    expect(boxes.first.map(({ row, kind }) => [row, kind])).toEqual([
      [2, 'same'],
      [3, 'moved'],
      [4, 'relabelled'],
    ]);
    expect(boxes.second.map(({ row, kind }) => [row, kind])).toEqual([
      [1, 'same'],
      [2, 'moved'],
      [3, 'relabelled'],
    ]);
    expect(words).toEqual(['CAT 0.80 moves by 4.0 px', 'CAT 0.70 becomes dog 0.60']);
  });

  it.each<[string, readonly Row[], readonly Row[], readonly number[], string]>([
    [
      'the other side is less sure',
      [['cat', 0, 0.9]],
      [
        ['cat', 4, 0.31],
        ['cat', 0, 0.41],
      ],
      [0.55, 0.5],
      'CAT 0.90 vanishes; B drops it: 0.41 < 0.55',
    ],
    [
      'the other side lists no such label',
      [['cat', 0, 0.9]],
      [['cat', 0, 0.9]],
      [Infinity, 0.5],
      'CAT 0.90 vanishes; B drops it: label not in label_confidences',
    ],
    [
      'the other side finds half of it, and is less sure',
      [['cat', 0, 0.9]],
      [['cat', 0, 0.4, 10]],
      [0.5, 0.5],
      'CAT 0.90 vanishes; B drops it: 0.40 < 0.50',
    ],
    [
      'the other side finds it elsewhere',
      [['cat', 0, 0.9]],
      [['cat', 15, 0.4]],
      [0.5, 0.5],
      'CAT 0.90 vanishes; B finds no such box',
    ],
    [
      'the other side finds another label',
      [['cat', 0, 0.9]],
      [['dog', 0, 0.4]],
      [0.5, 0.5],
      'CAT 0.90 vanishes; B finds no such box',
    ],
    [
      'it was dropped before',
      [['dog', 0, 0.4]],
      [['dog', 0, 0.6]],
      [0.5, 0.5],
      'dog 0.60 appears; A drops it: 0.40 < 0.50',
    ],
  ])('say why one is not kept: %s', (_, first, second, thresholds, words) => {
    expect(compared(first, second, [...thresholds]).words).toEqual([words]);
  });
});
