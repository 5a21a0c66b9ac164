import { describe, expect, it } from 'vitest';
import type { CropAttributes } from '../../config/parse/transform-steps.ts';
import { classificationOverlay } from './classification-overlay.ts';
import { cropBoxOverlay } from './crop-box-overlay.ts';
import { detectionOverlay } from './detection-overlay.ts';

const frameSize = { widthPx: 100, heightPx: 50 };
const detection = (xMin: number, yMin: number, xMax: number, yMax: number) => ({
  label: 'dog',
  score: 0.875,
  xMin,
  yMin,
  xMax,
  yMax,
});

describe('detectionOverlay', () => {
  it('draws a box, then its label 30 px below the top edge, for each detection in order', () => {
    expect(detectionOverlay([detection(10, 5, 60, 45), detection(0, 0, 100, 50)], frameSize)).toEqual([
      { kind: 'box', xMin: 10, yMin: 5, xMax: 60, yMax: 45 },
      { kind: 'text', text: 'dog: 0.88', leftPx: 10, baselinePx: 35 },
      { kind: 'box', xMin: 0, yMin: 0, xMax: 100, yMax: 50 },
      { kind: 'text', text: 'dog: 0.88', leftPx: 0, baselinePx: 30 },
    ]);
  });

  it.each([
    [-1, 0, 10, 10],
    [0, -1, 10, 10],
    [0, 0, 101, 10],
    [0, 0, 10, 51],
  ])('fails where a box reaches outside: %i, %i to %i, %i', (...box) => {
    expect(() => detectionOverlay([detection(0, 0, 5, 5), detection(...box)], frameSize)).toThrow(
      expect.objectContaining({ name: 'TransformError', code: 'box-outside-frame' }),
    );
  });

  it.each([
    ['no width', [120, 10, 120, 20]],
    ['no height', [10, 60, 20, 60]],
    ['less than none', [130, 10, 120, 20]],
    ['the whole frame', [0, 0, 100, 50]],
  ])('takes a box of %s', (_, [xMin, yMin, xMax, yMax]) => {
    expect(detectionOverlay([detection(xMin!, yMin!, xMax!, yMax!)], frameSize)).toHaveLength(2);
  });

  it('says which box does not fit', () => {
    expect(() => detectionOverlay([detection(0, 0, 101, 50)], frameSize)).toThrow(
      'Box of "dog" (x 0–101, y 0–50) does not fit in the 100×50 frame.',
    );
  });

  it('lets a box of zero area lie anywhere, as Go counts an empty rectangle as inside every other', () => {
    expect(detectionOverlay([detection(120, 10, 120, 20)], frameSize)).toHaveLength(2);
  });
});

describe('classificationOverlay', () => {
  it('writes one line below the other and skips the unknown label', () => {
    const classifications = [
      { label: 'cat', score: 0.125 },
      { label: 'VIAM_UNKNOWN', score: 0.9 },
      { label: 'viam_unknown', score: 0.0625 },
    ];
    expect(classificationOverlay(classifications)).toEqual([
      { kind: 'text', text: 'cat: 0.12', leftPx: 30, baselinePx: 60 },
      { kind: 'text', text: 'viam_unknown: 0.06', leftPx: 30, baselinePx: 90 },
    ]);
  });
});

describe('cropBoxOverlay', () => {
  const attributes = (xMin: number, yMin: number, xMax: number, yMax: number): CropAttributes => ({
    xMin,
    yMin,
    xMax,
    yMax,
    overlayCropBox: true,
  });

  it('draws the window as a detection named crop', () => {
    expect(cropBoxOverlay(attributes(0.25, 0.5, 0.75, 1), frameSize)).toEqual([
      { kind: 'box', xMin: 25, yMin: 25, xMax: 75, yMax: 50 },
      { kind: 'text', text: 'crop: 1.00', leftPx: 25, baselinePx: 55 },
    ]);
  });

  it.each([
    ['box-outside-frame', attributes(50, 10, 200, 40)],
    ['zero-width', attributes(50, 10, 50, 40)],
  ])('fails with %s', (code, given) => {
    expect(() => cropBoxOverlay(given, frameSize)).toThrow(expect.objectContaining({ code }));
  });
});
