import type { ColorRule } from './color-rule.ts';
import type { RawDetections } from '../results/detections.ts';
import type { Frame } from '../frame/frame.ts';
import { boxAreaAt, findBlobs } from './find-blobs.ts';
import { machinePixels } from './machine-pixels.ts';
import { markPixels, type MarkPixels } from './mark-pixels.ts';
import type { PixelTest } from './pixel-test.ts';

/** A rule, with the tables that test pixels by it. */
export interface ColorDetector {
  readonly rule: ColorRule;
  readonly test: PixelTest;
}

/**
 * Runs a colour detector on a frame, as the machine does (viamrobotics/rdk @ b0d2f62e, `vision/objectdetection`): each
 * group of pixels of the colour is a box with score 1, the largest first. The machine leaves the order of boxes of equal
 * area open; here they keep the order in which it finds them, column by column.
 * @param frame the picture after the transform steps
 * @param detector a rule and its `pixelTest`
 * @param mark the kernel's, where there is one
 * @returns all boxes, in whole pixels from the first to the last column and row of each group
 * @example
 * import { pixelTest } from './pixel-test.ts';
 * const rule = { hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 1, label: 'red' };
 * const samples = new Uint8ClampedArray(16).map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0));
 * const found = detectColors({ format: 'rgba8', widthPx: 2, heightPx: 2, samples }, { rule, test: pixelTest(rule) });
 * [...found.box, found.labels[0], found.score[0]]; // => [0, 0, 1, 1, 'red', 1]
 */
export function detectColors(
  frame: Frame,
  { rule, test }: ColorDetector,
  mark: MarkPixels = markPixels,
): RawDetections {
  const { widthPx, heightPx } = frame;
  const blobs = findBlobs(mark(machinePixels(frame), widthPx, test), widthPx, rule.minAreaPx);
  return {
    count: blobs.count,
    labels: [rule.label],
    labelIndex: new Uint32Array(blobs.count),
    score: new Float64Array(blobs.count).fill(1),
    box: largestFirst(blobs.box),
    frameWidthPx: widthPx,
    frameHeightPx: heightPx,
    boxSpace: 'absolute',
    droppedNaN: 0,
  };
}

function largestFirst(box: Int32Array): Int32Array {
  const order = Array.from({ length: box.length / 4 }, (_, i) => 4 * i).sort(
    (a, b) => boxAreaAt(box, b) - boxAreaAt(box, a),
  );
  const sorted = new Int32Array(box.length);
  order.forEach((at, i) => sorted.set(box.subarray(at, at + 4), 4 * i));
  return sorted;
}
