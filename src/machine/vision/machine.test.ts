import { describe, expect, it } from 'vitest';
import {
  cat,
  boxes,
  detector,
  classifier,
  rotate,
  resize,
  config,
  machine,
  one,
  frame,
  black,
} from '../../../tests/machine-fixture.ts';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { transformCamera, visionServiceConfig } from '../../../tests/machine-configs.ts';

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

  it('an unknown service, with those that there are', async () => {
    const message = (names: readonly string[]) =>
      machine(config(names.map((name) => visionServiceConfig({ name }))), {})
        .detections('nobody', frame)
        .catch((error: Error) => error.message);
    expect(await message(['a', 'b'])).toMatch(/"nobody".*: "a", "b"\.$/);
    expect(await message([])).toMatch(/"nobody".*: none\.$/);
  });

  it('a detector asked for classifications', async () => {
    await expect(machine(one(), { vision: detector() }).classifications('vision', frame, 1)).rejects.toMatchObject({
      code: 'not-a-classifier',
    });
  });
});
