import { describe, expect, it } from 'vitest';
import {
  cocoPhotographs,
  facePhotographs,
  hasSharedData,
  openPair,
  type PlainOutputs,
  type SourceFeeding,
} from '../fit/photographs.ts';
import { chosenPlainly } from '../fit/plain-detr.ts';
import { distributionsPlainly } from '../fit/plain-grids.ts';
import { decodedSsdPlainly } from '../fit/plain-ssd.ts';
import type { PlainDetection } from '../fit/plain-detections.ts';
import { expectSameRows } from '../fit/run-fitted.ts';

interface Published {
  readonly file: string;
  readonly family: string;
  readonly feeding: SourceFeeding;
  readonly postProcess: (outputs: PlainOutputs) => PlainDetection[];
}

const unitsRgb = { bgr: false, mean: [0, 0, 0], stdDev: [1, 1, 1] } as const;

const count = process.env['NIGHTLY'] ? 20 : 6;
const pictures = hasSharedData ? Promise.all([cocoPhotographs(count), facePhotographs()]) : Promise.resolve([]);

const published: readonly Published[] = [
  {
    file: 'deimv2_hgnetv2_atto_coco.onnx',
    family: 'rt-detr',
    feeding: {
      ...unitsRgb,
      others: { orig_target_sizes: { dtype: 'int64', shape: [1, 2], data: new BigInt64Array([320n, 320n]) } },
    },
    postProcess: ({ boxes, labels, scores }) =>
      chosenPlainly(boxes!.values, labels!.values, scores!.values, {
        widthPx: 320,
        heightPx: 320,
        scoreThreshold: 0.01,
        maxDetections: 300,
      }),
  },
  {
    file: 'ultraface_RFB-320.onnx',
    family: 'ssd-decoded',
    feeding: { bgr: false, mean: [127 / 255, 127 / 255, 127 / 255], stdDev: [128 / 255, 128 / 255, 128 / 255] },
    postProcess: ({ scores, boxes }) =>
      decodedSsdPlainly(scores!.values, boxes!.values, 2, {
        widthPx: 320,
        heightPx: 240,
        scoreThreshold: 0.1,
        iouThreshold: 0.45,
        maxDetections: 100,
      }),
  },
  {
    file: 'nanodet_m_320.onnx',
    family: 'nanodet',
    feeding: {
      bgr: true,
      mean: [103.53 / 255, 116.28 / 255, 123.675 / 255],
      stdDev: [57.375 / 255, 57.12 / 255, 58.395 / 255],
    },
    postProcess: (outputs) => {
      const levels = (part: string) =>
        [8, 16, 32].flatMap((stride) => outputs[`${part}_pred_stride_${stride}`]!.values);
      const grids = { strides: [8, 16, 32], anchors: 1, offset: 0.5 };
      return distributionsPlainly(levels('cls'), levels('dis'), 80, grids, {
        widthPx: 320,
        heightPx: 320,
        scoreThreshold: 0.05,
        iouThreshold: 0.6,
        maxDetections: 100,
      });
    },
  },
];

describe.skipIf(!hasSharedData)('published detectors, fitted (skipped without ../shared/data)', () => {
  it.each(published)(
    '$file gives what its own post-processing gives',
    { timeout: 600_000 },
    async ({ file, family, feeding, postProcess }) => {
      const { fitted, run, close } = await openPair(file, feeding);
      expect(fitted.family.id).toBe(family);
      let seen = 0;
      for (const { frame } of (await pictures).flat()) {
        const { source, rows } = await run(frame);
        const wanted = postProcess(source);
        expectSameRows(rows, wanted, fitted.inputSize);
        seen += wanted.filter(({ score }) => score > 0.4).length;
      }
      expect(seen).toBeGreaterThan(count);
      await close();
    },
  );
});
