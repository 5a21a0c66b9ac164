import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { TransformStep } from '../config/parse/machine-config.ts';
import type { Frame } from './frame/frame.ts';
import { oneAtATime } from '../../base/schedule/one-at-a-time.ts';
import type { TextFace } from './overlay/font/text-face.ts';
import { patternFrame } from './frame/pattern-frame.ts';
import { applySteps, drawResults, infer, type FramePlan, type PipelinePorts } from './pipeline.ts';
import { referenceStretchKernel } from './preprocess/preprocess.ts';
import { probe } from './probe.ts';
import type { Stage } from './run-result.ts';
import { buildVisionService, type VisionModel } from './vision-service.ts';

/** A font without ink or width that remembers what was written. */
function writtenText(): TextFace & { text: string } {
  return {
    text: '',
    advanceOf: () => 0,
    maskOf(character) {
      this.text += character;
      return { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
    },
  };
}

const animals: VisionModel = {
  session: fixedSession(imageInput([1, 4, 4, 3]), {
    location: float32([1, 3, 4], [0, 0, 1, 1, 0.1, 0.2, 0.5, 0.6, 0, 0, 0.5, 0.5]),
    category: float32([1, 3], [0, 1, 2]),
    score: float32([1, 3], [0.25, 0.5, 0.75]),
    probability: float32([1, 3], [0.25, 0.5, 0.75]),
  }),
  labels: ['cat', 'Dog', 'bird'],
};

async function after(
  step: TransformStep,
  frame: Frame = patternFrame('rgba8', 21, 11),
  service = visionServiceConfig(),
) {
  const font = writtenText();
  const ports: PipelinePorts = { stretchKernel: referenceStretchKernel, font, turn: oneAtATime(), nowMs: () => 0 };
  const built = buildVisionService(service, animals);
  const plan: FramePlan = {
    steps: [step],
    vision: null,
    serviceNamed: async () => ({ service: built, abilities: await probe(built, ports) }),
  };
  const stages: Stage[] = [];
  const last = await applySteps(frame, plan, ports, stages);
  return { last, font, stages };
}

describe('a detections step', () => {
  const step = (confidenceThreshold: number, ...validLabels: string[]): TransformStep => ({
    type: 'detections',
    attributes: { serviceName: 'vision', confidenceThreshold, validLabels },
  });

  it.each([
    ['everything at 0', step(0), 'cat: 0.25Dog: 0.50bird: 0.75'],
    ['scores of at least the threshold', step(0.5), 'Dog: 0.50bird: 0.75'],
    ['valid labels, in any case', step(0, 'CAT', 'dog'), 'cat: 0.25Dog: 0.50'],
    ['both', step(0.3, 'cat', 'dog'), 'Dog: 0.50'],
  ])('draws %s', async (_, drawn, text) => {
    expect((await after(drawn)).font.text).toBe(text);
  });

  it("goes through the service's own filter first", async () => {
    const service = visionServiceConfig({ labelConfidences: { bird: 0.1 } });
    expect((await after(step(0), undefined, service)).font.text).toBe('bird: 0.75');
  });
});

describe('a classifications step', () => {
  const step = (maxClassifications: number, confidenceThreshold = 0, ...validLabels: string[]): TransformStep => ({
    type: 'classifications',
    attributes: { serviceName: 'vision', confidenceThreshold, maxClassifications, validLabels },
  });

  it.each([
    ['one, where the maximum is 0', step(0), 'bird: 0.75'],
    ['the first two', step(2), 'bird: 0.75Dog: 0.50'],
    ['scores of at least the threshold', step(3, 0.5), 'bird: 0.75Dog: 0.50'],
    ['valid labels of the top ones: cat is not among them', step(2, 0, 'cat', 'DOG'), 'Dog: 0.50'],
  ])('draws %s', async (_, drawn, text) => {
    expect((await after(drawn)).font.text).toBe(text);
  });

  it("goes through the service's own filter before the top n", async () => {
    const service = visionServiceConfig({ labelConfidences: { cat: 0, dog: 0 } });
    expect((await after(step(1), undefined, service)).font.text).toBe('Dog: 0.50');
  });
});

describe('a crop step', () => {
  const step = (xMax: number, overlayCropBox: boolean): TransformStep => ({
    type: 'crop',
    attributes: { xMin: 2, yMin: 1, xMax, yMax: 9, overlayCropBox },
  });

  it('cuts', async () => {
    const { last, font } = await after(step(12, false));
    expect([last.widthPx, last.heightPx, font.text]).toEqual([10, 8, '']);
  });

  it('draws its window on the whole frame instead, if so told', async () => {
    const { last, font } = await after(step(12, true));
    expect([last.widthPx, last.heightPx, font.text]).toEqual([21, 11, 'crop: 1.00']);
  });

  it('says which step failed when the drawn window does not fit', async () => {
    await expect(after(step(30, true))).rejects.toMatchObject({
      name: 'StepError',
      step: 0,
      type: 'crop',
      message: expect.stringMatching(/^Step 1 \(crop\): /),
      cause: { code: 'box-outside-frame' },
    });
  });
});

describe('steps without a service', () => {
  const frame = patternFrame('rgba8', 21, 11);
  it('pass through', async () => {
    expect((await after({ type: '' }, frame)).last).toBe(frame);
  });

  it.each([
    [{ type: 'resize', attributes: { widthPx: 5, heightPx: 7 } }, 5, 7],
    [{ type: 'rotate', attributes: { angleDegs: 90 } }, 11, 21],
  ] as const)('%j', async (step, widthPx, heightPx) => {
    const { last, stages } = await after(step, frame);
    expect(last).toMatchObject({ widthPx, heightPx });
    expect(stages.map(({ step: at, type }) => [at, type])).toEqual([
      [-1, ''],
      [0, step.type],
    ]);
  });

  it('leave the frame that they were given as it was', async () => {
    await after(
      { type: 'detections', attributes: { serviceName: 'vision', confidenceThreshold: 0, validLabels: [] } },
      frame,
    );
    expect(frame).toEqual(patternFrame('rgba8', 21, 11));
  });
});

it.each([
  ['channels first', [1, 3, 4, 6]],
  ['channels last', [1, 4, 6, 3]],
])('knows the size of an input with %s, and gives outputs in the order that the model declares', async (_, shape) => {
  const [a, b] = [float32([1], [1]), float32([1], [2])];
  const session = fixedSession(imageInput(shape), { b, a }, ['a', 'gone', 'b']);
  const service = buildVisionService(visionServiceConfig(), { session, labels: null });
  const clock = [10, 11, 14];
  const ports: PipelinePorts = {
    stretchKernel: referenceStretchKernel,
    font: writtenText(),
    turn: oneAtATime(),
    nowMs: () => clock.shift()!,
  };
  const inference = await infer(patternFrame('rgba8', 21, 11), service, ports);
  expect(inference).toMatchObject({ inputWidthPx: 6, inputHeightPx: 4, preprocessMs: 1, inferenceMs: 3 });
  expect([...inference.outputs]).toEqual([['a', a], ['b', b]]); // prettier-ignore
});

it('draws nothing of what there is not', () => {
  const seen = patternFrame('rgba8', 21, 11);
  const font = writtenText();
  expect(drawResults(seen, { detections: null, classifications: null }, font)).toEqual(seen);
  expect(font.text).toBe('');
});

it('draws final results as the machine does: detections, then classifications', () => {
  const font = writtenText();
  const seen = patternFrame('rgba8', 21, 11);
  const drawn = drawResults(
    seen,
    {
      detections: [{ label: 'cat', score: 0.125, xMin: 2, yMin: 1, xMax: 9, yMax: 8 }],
      classifications: [{ label: 'face', score: 1 }],
    },
    font,
  );
  expect(font.text).toBe('cat: 0.12face: 1.00');
  expect([...drawn.samples.subarray(4 * (5 * 21 + 2), 4 * (5 * 21 + 2) + 4)]).toEqual([255, 0, 0, 255]);
});
