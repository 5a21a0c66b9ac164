import { describe, expect, it } from 'vitest';
import type { RawResults } from '../../../../machine/vision/run-result.ts';
import type { Capture, ImageBox } from '../../../../evidence/capture/capture.ts';
import { boxesToSend } from './boxes-to-send.ts';

const corrected: ImageBox = {
  id: 'c',
  label: 'cat',
  confidence: null,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 1,
};
const detection = { label: 'cat', score: 0.9, xMin: 10, yMin: 10, xMax: 20, yMax: 30 };
const raw: RawResults = {
  detections: {
    count: 2,
    labels: ['cat', 'dog'],
    labelIndex: Uint32Array.of(0, 1),
    score: Float64Array.of(0.9, 0.1),
    box: Int32Array.of(10, 10, 20, 30, 0, 0, 50, 40),
    frameWidthPx: 50,
    frameHeightPx: 40,
    boxSpace: 'proportional',
    droppedNaN: 0,
  },
  classifications: null,
};
/** A capture of a 100×80 frame that a transform halved before the detector ran. */
const capture = {
  id: 'k',
  boxes: [corrected],
  detections: [detection],
  image: { mediaType: '', widthPx: 100, heightPx: 80, sizeBytes: 0, sha256: '', encoding: 'original' },
  setup: {
    steps: [{ type: 'resize', attributes: { widthPx: 50, heightPx: 40 } }],
    stages: [
      { step: -1, widthPx: 100, heightPx: 80 },
      { step: 0, widthPx: 50, heightPx: 40 },
    ],
  },
} as unknown as Capture;

describe('boxesToSend', () => {
  it.each([
    ['none', []],
    ['corrected', [['c', 'cat', 0, 0, 1, 1]]],
    ['filtered', [['k-filtered-0', 'cat', 0.2, 0.25, 0.4, 0.75]]],
    [
      'raw',
      [
        ['k-raw-0', 'cat', 0.2, 0.25, 0.4, 0.75],
        ['k-raw-1', 'dog', 0, 0, 1, 1],
      ],
    ],
  ] as const)('%s, on the kept image', (choice, expected) => {
    const boxes = boxesToSend(choice, capture, raw);
    expect(
      boxes.map((box) => [
        box.id,
        box.label,
        box.xMinNormalized,
        box.yMinNormalized,
        box.xMaxNormalized,
        box.yMaxNormalized,
      ]),
    ).toEqual(expected);
  });

  it('has none where nothing looked at the frame', () => {
    const unseen = { ...capture, detections: null, setup: null };
    expect(boxesToSend('filtered', unseen, null)).toEqual([]);
    expect(boxesToSend('raw', unseen, null)).toEqual([]);
  });
});
