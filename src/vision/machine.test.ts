import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../tests/fixed-session.ts';
import { transformCamera, visionServiceConfig } from '../../tests/machine-configs.ts';
import type { CameraConfig, MachineConfig, TransformStep, VisionServiceConfig } from '../config/machine-config.ts';
import type { EightBitFrame, Frame } from './frame.ts';
import { InferenceError } from './inference/inference-session.ts';
import { createMachine, type MachineOptions } from './machine.ts';
import type { TextFace } from './overlay/font/text-face.ts';
import { patternFrame } from './pattern-frame.ts';
import type { Tensor } from './tensor.ts';
import type { VisionModel } from './vision-service.ts';

const blankFont: TextFace = {
  advanceOf: () => 500,
  maskOf: () => ({ leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() }),
};

const cat = { location: [0.1, 0.2, 0.5, 0.6], category: 0, score: 0.75 };
const dog = { location: [0, 0, 1, 1], category: 1, score: 0.25 };
function boxes(...rows: (typeof cat)[]): Record<string, Tensor> {
  return {
    location: float32(
      [1, rows.length, 4],
      rows.flatMap(({ location }) => location),
    ),
    category: float32(
      [1, rows.length],
      rows.map(({ category }) => category),
    ),
    score: float32(
      [1, rows.length],
      rows.map(({ score }) => score),
    ),
  };
}
const detector = (labels: readonly string[] | null = ['cat', 'dog']): VisionModel => ({
  session: fixedSession(imageInput([1, 4, 4, 3]), boxes(cat, dog)),
  labels,
});
const classifier = (labels: readonly string[] | null = ['no face', 'face']): VisionModel => ({
  session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), { probability: float32([1, 2], [0.25, 0.75]) }),
  labels,
});

const webcam: CameraConfig = { kind: 'source', name: 'webcam' };
const rotate = (angleDegs: number): TransformStep => ({ type: 'rotate', attributes: { angleDegs } });
const resize = (widthPx: number, heightPx: number): TransformStep => ({
  type: 'resize',
  attributes: { widthPx, heightPx },
});

const config = (visionServices: VisionServiceConfig[], ...cameras: CameraConfig[]): MachineConfig => ({
  cameras: [webcam, ...cameras],
  visionServices,
});
function machine(
  machineConfig: MachineConfig,
  models: Record<string, VisionModel>,
  options: Partial<MachineOptions> = {},
) {
  return createMachine(machineConfig, models, { font: blankFont, ...options });
}
const one = (attributes: Partial<VisionServiceConfig> = {}) => config([visionServiceConfig(attributes)]);
const frame = patternFrame('rgba8', 21, 11);
const black = (widthPx: number, heightPx: number): EightBitFrame => ({
  format: 'rgba8',
  widthPx,
  heightPx,
  samples: Uint8ClampedArray.from({ length: 4 * widthPx * heightPx }, (_, i) => (i % 4 === 3 ? 255 : 0)),
});

describe('Detections', () => {
  const catInPixels = { label: 'cat', score: 0.75, xMin: 4, yMin: 1, xMax: 12, yMax: 5 };
  const dogInPixels = { label: 'dog', score: 0.25, xMin: 0, yMin: 0, xMax: 20, yMax: 10 };

  it("gives boxes in the frame's pixels, in the model's order", async () => {
    expect(await machine(one(), { vision: detector() }).detections('vision', frame)).toEqual([
      catInPixels,
      dogInPixels,
    ]);
  });

  it.each([
    ['default_minimum_confidence', { defaultMinimumConfidence: 0.5 }, [catInPixels]],
    ['label_confidences', { labelConfidences: { DOG: 0.2 } }, [dogInPixels]],
  ])('filters by %s', async (_, attributes, expected) => {
    expect(await machine(one(attributes), { vision: detector() }).detections('vision', frame)).toEqual(expected);
  });

  it('feeds one tensor of the size and layout that the model declares', async () => {
    const model = classifier();
    await machine(one(), { vision: model }).classifications('vision', black(9, 7), 0);
    const { feeds } = model.session as ReturnType<typeof fixedSession>;
    expect(Object.keys(feeds.at(-1)!)).toEqual(['image']);
    expect(feeds.at(-1)!.image!.shape).toEqual([1, 3, 4, 4]);
    expect(new Set(feeds.at(-1)!.image!.data as Float32Array)).toEqual(new Set([-1]));
  });

  it('lets a dynamic input take the size of the frame, and reads absolute boxes in it', async () => {
    const session = fixedSession(
      imageInput([1, -1, -1, 3]),
      ({ shape }) => ({
        location: float32([1, 1, 4], [1, 2, shape[1]! - 1, shape[2]! - 1]),
        category: float32([1, 1], [0]),
        score: float32([1, 1], [1]),
      }),
      ['location', 'category', 'score'],
    );
    const found = await machine(one(), { vision: { session, labels: null } }).detections('vision', frame);
    expect(found).toEqual([{ label: '0', score: 1, xMin: 2, yMin: 1, xMax: 20, yMax: 10 }]);
  });

  it('fails the call when one label is out of range', async () => {
    let asked = 0;
    const session = fixedSession(imageInput([1, 4, 4, 3]), () => boxes(asked++ === 0 ? cat : { ...cat, category: 7 }), [
      'location',
      'category',
      'score',
    ]);
    await expect(
      machine(one(), { vision: { session, labels: ['cat'] } }).detections('vision', frame),
    ).rejects.toMatchObject({ code: 'label-out-of-range' });
  });
});

describe('Classifications', () => {
  it.each([
    [
      0,
      [
        ['no face', 0.25],
        ['face', 0.75],
      ],
    ],
    [
      -1,
      [
        ['no face', 0.25],
        ['face', 0.75],
      ],
    ],
    [1, [['face', 0.75]]],
    [
      5,
      [
        ['face', 0.75],
        ['no face', 0.25],
      ],
    ],
  ])('n = %i', async (n, expected) => {
    const found = await machine(one(), { vision: classifier() }).classifications('vision', frame, n);
    expect(found.map(({ label, score }) => [label, score])).toEqual(expected);
  });

  it('filters before the top n', async () => {
    const filtered = machine(one({ labelConfidences: { 'no face': 0.2 } }), { vision: classifier() });
    expect(await filtered.classifications('vision', frame, 1)).toEqual([{ label: 'no face', score: 0.25 }]);
  });
});

describe('…FromCamera', () => {
  const asked: string[] = [];
  const frameOf = async (name: string) => {
    asked.push(name);
    return frame;
  };
  const through = (cameraName: string) =>
    machine(
      config(
        [visionServiceConfig({ cameraName })],
        transformCamera('turned', 'webcam', rotate(90)),
        transformCamera('small', 'turned', resize(6, 11)),
      ),
      { vision: detector() },
      { frameOf },
    );

  it.each([
    ['the camera named', 'turned', '', { xMax: 5, yMax: 10 }, 'small'],
    ["'' = camera_name", '', 'small', { xMax: 5, yMax: 10 }, ''],
    ['the named one beats camera_name', 'webcam', 'small', { xMax: 20, yMax: 10 }, 'webcam'],
  ])('%s', async (_, __, cameraName, size, named) => {
    asked.length = 0;
    const found = await through(cameraName).detectionsFromCamera('vision', named);
    expect(found[1]).toMatchObject({ label: 'dog', xMin: 0, yMin: 0, ...size });
    expect(asked).toEqual(['webcam']);
  });

  it('classifies too', async () => {
    const both = machine(one({ cameraName: 'webcam' }), { vision: classifier() }, { frameOf });
    expect(await both.classificationsFromCamera('vision', '', 1)).toEqual([{ label: 'face', score: 0.75 }]);
  });

  it('gives the frame alone', async () => {
    expect(await through('').frameFromCamera('small')).toMatchObject({ widthPx: 6, heightPx: 11 });
  });

  it.each([
    ['no camera anywhere', '', '', 'no-camera'],
    ['an unknown camera', '', 'nowhere', 'unknown-camera'],
    ['an unknown camera_name', 'nowhere', '', 'unknown-camera'],
  ])('refuses %s', async (_, cameraName, named, code) => {
    await expect(through(cameraName).detectionsFromCamera('vision', named)).rejects.toMatchObject({ code });
  });

  it('needs something that gives frames', async () => {
    await expect(machine(one(), { vision: detector() }).detectionsFromCamera('vision', 'webcam')).rejects.toMatchObject(
      { code: 'no-camera' },
    );
  });
});

describe('the probe', () => {
  const abilities = async (model: VisionModel, attributes: Partial<VisionServiceConfig> = {}) =>
    (await machine(one(attributes), { vision: model }).service('vision')).abilities;

  it('looks at an all-black 5×5 picture, once', async () => {
    const session = fixedSession(imageInput([1, -1, -1, 3]), boxes(cat));
    const tested = machine(one(), { vision: { session, labels: null } });
    await Promise.all([tested.service('vision'), tested.service('vision')]);
    expect(session.feeds).toHaveLength(1);
    expect(session.feeds[0]!.image).toEqual({ dtype: 'uint8', shape: [1, 5, 5, 3], data: new Uint8Array(75) });
  });

  it.each([
    ['a detector', detector(), { detector: true, classifier: false }],
    ['a classifier', classifier(), { detector: false, classifier: true }],
    [
      'both',
      {
        session: fixedSession(imageInput([1, 4, 4, 3]), { ...boxes(cat), probability: float32([1, 2], [0, 1]) }),
        labels: null,
      },
      { detector: true, classifier: true },
    ],
    [
      'a classifier with the wrong number of labels: nothing',
      classifier(['one']),
      { detector: false, classifier: false },
    ],
    [
      'a detector whose category is beyond its labels: nothing',
      detector(['one']),
      { detector: false, classifier: false },
    ],
  ])('finds %s', async (_, model, expected) => {
    const found = await abilities(model);
    expect({ detector: found.detector.able, classifier: found.classifier.able }).toEqual(expected);
  });

  it('keeps the names that it guessed', async () => {
    let runs = 0;
    // Black gives whole "b"; a later frame gives whole "s" as well, which would make a fresh guess waver.
    const session = fixedSession(
      imageInput([1, 4, 4, 3]),
      () => ({
        s: float32([1, 1], [runs++ === 0 ? 0.5 : 1]),
        b: float32([1, 1], [1]),
        l: float32([1, 1, 4], [0, 0, 1, 1]),
      }),
      ['s', 'b', 'l'],
    );
    const found = await machine(one(), { vision: { session, labels: null } }).detections('vision', frame);
    expect(found).toMatchObject([{ label: '1', score: 1 }]);
  });

  it('says which tensor plays which role, and why', async () => {
    const { detector: found } = await abilities(detector());
    expect(found.tensors).toContainEqual({ role: 'score', tensor: 'score', why: 'the output has this name' });
  });

  it.each([
    [
      'an input of another name',
      imageInput([1, 4, 4, 3], 'uint8', 'images'),
      {},
      /feeds an input named "image".*remap_input_names \{"images": "image"\}/,
    ],
    [
      'a remap to an input that is not there',
      imageInput([1, 4, 4, 3], 'uint8', 'images'),
      { remapInputNames: { x: 'image' } },
      /feeds an input named "x"/,
    ],
    [
      'a second input',
      [imageInput([1, 4, 4, 3]), imageInput([-1, 2], 'int64', 'size')],
      {},
      /fills only "image": "size" would stay empty.*int64 any×2, probably the width and height of the picture.*it a constant/,
    ],
    [
      'two more inputs',
      [imageInput([1, 4, 4, 3]), imageInput([1, 2], 'float32', 'scale'), imageInput([], 'int32', 'top_k')],
      {},
      /"scale" takes float32 1×2, probably the size of the picture or the scale.*"top_k" takes int32 scalar\. Make them/,
    ],
  ])('finds no ability with %s', async (_, inputs, attributes, reason) => {
    const model = { session: fixedSession(inputs, boxes(cat)), labels: null };
    const tested = machine(one(attributes), { vision: model });
    const { abilities: found } = await tested.service('vision');
    expect(found.detector.reason).toMatch(reason);
    expect(found.classifier.reason).toMatch(reason);
    await expect(tested.detections('vision', frame)).rejects.toMatchObject({
      code: 'no-ability',
      message: expect.stringContaining('does not fulfill any method of the vision service'),
    });
  });

  it('takes an input of another name that is remapped to image', async () => {
    const session = fixedSession(imageInput([1, 4, 4, 3], 'uint8', 'images'), boxes(cat));
    const remapped = machine(one({ remapInputNames: { images: 'image' } }), { vision: { session, labels: null } });
    expect(await remapped.detections('vision', frame)).toHaveLength(1);
    expect(Object.keys(session.feeds[0]!)).toEqual(['images']);
  });

  const head = { output: float32([1, 3549, 85], Array(3549 * 85).fill(0)) };
  it('classifies by a raw head without labels, as the machine does, and calls it nonsense', async () => {
    const model = { session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), head), labels: null };
    const tested = machine(one(), { vision: model });
    const { classifier: found } = (await tested.service('vision')).abilities;
    expect(found.able).toBe(true);
    expect(found.warnings).toEqual([expect.stringMatching(/nonsense.*raw detector head/)]);
    expect(await tested.classifications('vision', frame, 1)).toEqual([{ label: '0', score: 0 }]);
  });

  it('finds no nonsense in a plain classifier', async () => {
    const { classifier: found } = (await machine(one(), { vision: classifier() }).service('vision')).abilities;
    expect(found).toMatchObject({ able: true, warnings: [] });
  });

  it('gives both reasons when a raw head is neither', async () => {
    const model = { session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), head), labels: ['a', 'b'] };
    await expect(machine(one(), { vision: model }).detections('vision', frame)).rejects.toMatchObject({
      code: 'no-ability',
      message: expect.stringMatching(
        /As a classifier: .*301665 values for 2 labels.*As a detector: .*raw detector head/,
      ),
    });
  });
});

describe('refusals by name', () => {
  it.each([
    ['an unknown service', 'nobody', 'unknown-service'],
    ['a service without a model', 'bare', 'no-model'],
    ['a service that cannot be built', 'broken', 'bad-attribute'],
    ['a classifier asked for detections', 'classes', 'not-a-detector'],
  ])('%s', async (_, name, code) => {
    const several = machine(
      config([
        visionServiceConfig({ name: 'bare' }),
        visionServiceConfig({ name: 'broken', stdDev: [0, 1, 1] }),
        visionServiceConfig({ name: 'classes' }),
      ]),
      { broken: detector(), classes: classifier() },
    );
    await expect(several.detections(name, frame)).rejects.toMatchObject({ code });
  });

  it('a detector asked for classifications', async () => {
    await expect(machine(one(), { vision: detector() }).classifications('vision', frame, 1)).rejects.toMatchObject({
      code: 'not-a-classifier',
    });
  });
});

describe('run', () => {
  const drawCats: TransformStep = {
    type: 'detections',
    attributes: { detectorName: 'boxes', confidenceThreshold: 0.5, validLabels: [] },
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
      attributes: { ...drawCats.attributes, detectorName: 'nobody' },
    }),
    transformCamera('asks-a-classifier', 'webcam', {
      ...drawCats,
      attributes: { ...drawCats.attributes, detectorName: 'classes' },
    }),
  );
  const models = () => ({ boxes: detector(), classes: classifier() });

  it('gives raw results, with every stage', async () => {
    const { sighting, failure } = await machine(chained, models()).run({
      frame,
      cameraName: 'marked',
      serviceName: 'boxes',
    });
    expect(failure).toBeNull();
    expect(
      sighting!.stages.map(({ step, type, frame: { widthPx, heightPx } }) => [step, type, widthPx, heightPx]),
    ).toEqual([
      [-1, '', 21, 11],
      [0, 'resize', 11, 11],
      [1, 'detections', 11, 11],
      [2, 'rotate', 11, 11],
    ]);
    expect(sighting!.detections).toMatchObject({ count: 2, frameWidthPx: 11, boxSpace: 'proportional' });
    expect(sighting!.classifications).toBeNull();
  });

  it('draws what a step detects into the frame that the next step gets, and not into the one before', async () => {
    const { stages } = await machine(chained, models()).run({
      frame: black(21, 11),
      cameraName: 'marked',
      serviceName: null,
    });
    const redAt = ({ samples, widthPx }: Frame, x: number, y: number) => [
      ...samples.subarray(4 * (y * widthPx + x), 4 * (y * widthPx + x) + 3),
    ];
    // The cat's box on 11×11 is x 2..5, y 1..5 in the default order.
    expect(redAt(stages[1]!.frame, 2, 3)).toEqual([0, 0, 0]);
    expect(redAt(stages[2]!.frame, 2, 3)).toEqual([255, 0, 0]);
    expect(redAt(stages[3]!.frame, 8, 7)).toEqual([255, 0, 0]);
  });

  it('transforms only, without a service', async () => {
    const { sighting } = await machine(chained, models()).run({ frame, cameraName: null, serviceName: null });
    expect(sighting).toMatchObject({ detections: null, classifications: null, timings: { inferenceMs: 0 } });
    expect(sighting!.stages).toHaveLength(1);
  });

  it.each([
    ['broken', 'empty-window', 'camera "broken", step 2 (crop)', 2],
    ['asks-nobody', 'unknown-service', 'camera "asks-nobody", step 1 (detections)', 1],
    ['asks-a-classifier', 'not-a-detector', 'camera "asks-a-classifier", step 1 (detections)', 1],
    ['nowhere', 'unknown-camera', 'nowhere', 0],
  ])('answers a failure of "%s" with the stages up to it', async (cameraName, code, where, stages) => {
    const result = await machine(chained, models()).run({ frame, cameraName, serviceName: 'boxes' });
    expect(result.sighting).toBeNull();
    expect(result.failure).toMatchObject({ code, where });
    expect(result.stages).toHaveLength(stages);
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
    const { sighting } = await machine(chained, models(), { nowMs: () => (ms += 1) }).run({
      frame,
      cameraName: null,
      serviceName: 'boxes',
    });
    // One tick a reading: start, transformed, before and after packing, after inference, inferred, end.
    expect(sighting!.timings).toEqual({
      transformMs: 1,
      preprocessMs: 1,
      inferenceMs: 1,
      postprocessMs: 1,
      totalMs: 6,
    });
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

it.each([
  ['device-lost', 2],
  ['out-of-memory', 2],
  ['runtime', 1],
] as const)(
  'a probe that fails with %s is taken for an answer only if it says something about the model',
  async (code, runs) => {
    let run = 0;
    const session = {
      ...fixedSession(imageInput([1, 4, 4, 3]), {}),
      run: () => {
        run++;
        return Promise.reject(new InferenceError(code, 'broken'));
      },
    };
    const tested = machine(one(), { vision: { session, labels: null } });
    for (let call = 0; call < 2; call++) await expect(tested.detections('vision', frame)).rejects.toThrow('broken');
    expect(run).toBe(runs);
  },
);

it('tries a service again after its model is broken only for a moment', async () => {
  let fails = true;
  const model = detector();
  const flaky = {
    get session() {
      if (fails) throw new Error('not yet');
      return model.session;
    },
    labels: null,
  };
  const tested = machine(one(), { vision: flaky });
  await expect(tested.detections('vision', frame)).rejects.toThrow('not yet');
  fails = false;
  expect(await tested.detections('vision', frame)).toHaveLength(2);
});

it('reads a built-in webcam without its odd column and row, on every way to its pixels', async () => {
  const turned = transformCamera('turned', 'webcam', rotate(90));
  const frameOf = () => Promise.resolve(patternFrame('rgba8', 7, 5));
  const sizesOf = async (source: CameraConfig) => {
    const built = machine({ cameras: [source, turned], visionServices: [] }, {}, { frameOf });
    const seen = await built.frameFromCamera('turned');
    const direct = await built.frameFromCamera('webcam');
    const { stages } = await built.run({
      frame: patternFrame('rgba8', 7, 5),
      cameraName: 'turned',
      serviceName: null,
    });
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
