import { describe, expect, it } from 'vitest';
import {
  cat,
  boxes,
  detector,
  classifier,
  webcam,
  rotate,
  resize,
  config,
  machine,
  one,
  frame,
  black,
} from '../../../tests/machine-fixture.ts';
import { fixedSession, imageInput } from '../../../tests/fixed-session.ts';
import { transformCamera, visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { CameraConfig, TransformStep } from '../config/parse/machine-config.ts';
import type { Frame } from './frame/frame.ts';
import { pixelsOf, type AnyFrame } from './gpu/gpu-frame.ts';
import { patternFrame } from './frame/pattern-frame.ts';
import type { Tensor } from './tensor/tensor.ts';

describe('run', () => {
  const drawCats: TransformStep = {
    type: 'detections',
    attributes: { serviceName: 'boxes', confidenceThreshold: 0.5, validLabels: [] },
  };
  const chained = config(
    [visionServiceConfig({ name: 'boxes', defaultMinimumConfidence: 0.5 }), visionServiceConfig({ name: 'classes' })],
    transformCamera('marked', 'webcam', resize(11, 11), drawCats, rotate(180)),
    transformCamera('broken', 'webcam', rotate(0), {
      type: 'crop',
      attributes: { xMin: 50, yMin: 50, xMax: 60, yMax: 60, overlayCropBox: false },
    }),
    transformCamera('asks-nobody', 'webcam', {
      ...drawCats,
      attributes: { ...drawCats.attributes, serviceName: 'nobody' },
    }),
    transformCamera('asks-a-classifier', 'webcam', {
      ...drawCats,
      attributes: { ...drawCats.attributes, serviceName: 'classes' },
    }),
  );
  const models = () => ({ boxes: detector(), classes: classifier() });

  it('gives raw results, with every stage', async () => {
    const { result, failure } = await machine(chained, models()).run({
      frame,
      cameraName: 'marked',
      serviceName: 'boxes',
    });
    expect(failure).toBeNull();
    expect(
      result!.stages.map(({ step, type, frame: { widthPx, heightPx } }) => [step, type, widthPx, heightPx]),
    ).toEqual([
      [-1, '', 21, 11],
      [0, 'resize', 11, 11],
      [1, 'detections', 11, 11],
      [2, 'rotate', 11, 11],
    ]);
    expect(result!.detections).toMatchObject({ count: 2, frameWidthPx: 11, boxSpace: 'proportional' });
    expect(result!.classifications).toBeNull();
  });

  it('draws what a step detects into the frame that the next step gets, and not into the one before', async () => {
    const { stages } = await machine(chained, models()).run({
      frame: black(21, 11),
      cameraName: 'marked',
      serviceName: null,
    });
    const redAt = (frame: AnyFrame, x: number, y: number) => {
      const { samples, widthPx } = pixelsOf(frame);
      return [...samples.subarray(4 * (y * widthPx + x), 4 * (y * widthPx + x) + 3)];
    };
    // The cat's box on 11×11 is x 2..5, y 1..5 in the default order.
    expect(redAt(stages[1]!.frame, 2, 3)).toEqual([0, 0, 0]);
    expect(redAt(stages[2]!.frame, 2, 3)).toEqual([255, 0, 0]);
    expect(redAt(stages[3]!.frame, 8, 7)).toEqual([255, 0, 0]);
  });

  it('transforms only, without a service', async () => {
    const { result } = await machine(chained, models()).run({ frame, cameraName: null, serviceName: null });
    expect(result).toMatchObject({ detections: null, classifications: null, timings: { inferenceMs: 0 } });
    expect(result!.stages).toHaveLength(1);
  });

  it.each([
    ['broken', 'empty-window', 'camera "broken", step 2 (crop)', 2],
    ['asks-nobody', 'unknown-service', 'camera "asks-nobody", step 1 (detections)', 1],
    ['asks-a-classifier', 'not-a-detector', 'camera "asks-a-classifier", step 1 (detections)', 1],
    ['nowhere', 'unknown-camera', 'nowhere', 0],
  ])('answers a failure of "%s" with the stages up to it', async (cameraName, code, where, stages) => {
    const result = await machine(chained, models()).run({ frame, cameraName, serviceName: 'boxes' });
    expect(result.result).toBeNull();
    expect(result.failure).toMatchObject({ code, where });
    expect(result.stages).toHaveLength(stages);
  });

  it('says what went wrong where nobody foresaw it', async () => {
    const model = detector();
    let runs = 0;
    const run: typeof model.session.run = (inputs) =>
      runs++ === 0 ? model.session.run(inputs) : Promise.reject(new TypeError('The GPU hung.'));
    const hung = machine(one(), { vision: { ...model, session: { ...model.session, run } } });
    const { failure } = await hung.run({ frame, cameraName: null, serviceName: 'vision' });
    expect(failure).toMatchObject({ code: 'failed', message: 'The GPU hung.', where: 'vision' });
  });

  it('shows the pictures of the cameras when the service is out of order', async () => {
    const result = await machine(chained, { boxes: detector() }).run({
      frame,
      cameraName: 'marked',
      serviceName: 'classes',
    });
    expect(result.failure).toMatchObject({ code: 'no-model', where: 'classes' });
    expect(result.stages).toHaveLength(4);
  });

  it('measures with the clock that it is given', async () => {
    let ms = 0;
    const { result } = await machine(chained, models(), { nowMs: () => (ms += 1) }).run({
      frame,
      cameraName: null,
      serviceName: 'boxes',
    });
    // One tick a reading: start, transformed, before and after packing, after inference, inferred, end.
    expect(result!.timings).toEqual({ transformMs: 1, preprocessMs: 1, inferenceMs: 1, postprocessMs: 1, totalMs: 6 });
  });
});

it('keeps overlapping calls apart: one run at a time, each answer from its own frame', async () => {
  let running = 0;
  let most = 0;
  const session = {
    ...fixedSession(imageInput([1, -1, -1, 3]), {}, ['location', 'category', 'score']),
    run: async ({ image }: Readonly<Record<string, Tensor>>) => {
      most = Math.max(most, ++running);
      const first = image!.data[0] as number;
      for (let i = 0; i < 5; i++) await Promise.resolve();
      running--;
      return boxes({ ...cat, score: first / 255 });
    },
  };
  const busy = machine(one(), { vision: { session, labels: null } });
  const gray = (value: number): Frame => ({
    ...black(4, 4),
    samples: new Uint8ClampedArray(64).fill(value).map((v, i) => (i % 4 === 3 ? 255 : v)),
  });
  const scores = await Promise.all([51, 102, 255, 0].map((value) => busy.detections('vision', gray(value))));
  expect(scores.map(([detection]) => detection!.score)).toEqual([0.2, 0.4, 1, 0].map(Math.fround));
  expect(most).toBe(1);
});

it('reads a built-in webcam without its odd column and row, on every way to its pixels', async () => {
  const turned = transformCamera('turned', 'webcam', rotate(90));
  const frameOf = () => Promise.resolve(patternFrame('rgba8', 7, 5));
  const sizesOf = async (source: CameraConfig) => {
    const built = machine({ cameras: [source, turned], visionServices: [] }, {}, { frameOf });
    const seen = await built.frameFromCamera('turned');
    const direct = await built.frameFromCamera('webcam');
    const { stages } = await built.run({ frame: patternFrame('rgba8', 7, 5), cameraName: 'turned', serviceName: null });
    return [seen, direct, ...stages.map(({ frame }) => frame)].map(({ widthPx, heightPx }) => [widthPx, heightPx]);
  };
  expect(await sizesOf(webcam)).toEqual([
    [5, 7],
    [7, 5],
    [7, 5],
    [5, 7],
  ]);
  expect(await sizesOf({ ...webcam, builtIn: true })).toEqual([
    [4, 6],
    [7, 5],
    [6, 4],
    [4, 6],
  ]);
});
