import { describe, expect, it } from 'vitest';
import { cat, boxes, detector, classifier, machine, one, frame } from '../../../tests/machine-fixture.ts';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import type { VisionServiceConfig } from '../config/parse/machine-config.ts';
import { InferenceError } from './errors/inference-error.ts';
import type { VisionModel } from './vision-service.ts';

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
    expect([found.able, found.code]).toEqual([true, 'no-classes']);
    expect(found.warnings).toEqual([expect.stringMatching(/nonsense.*raw detector head/)]);
    expect(await tested.classifications('vision', frame, 1)).toEqual([{ label: '0', score: 0 }]);
  });

  it('finds no nonsense in a plain classifier', async () => {
    const { classifier: found } = (await machine(one(), { vision: classifier() }).service('vision')).abilities;
    expect(found).toMatchObject({ able: true, warnings: [], reason: '', code: '' });
  });

  it.each([
    [[1, 13, 13, 255], 'no-classes'],
    [[13, 13], 'no-classes'],
    [[1, 7, 1, 1], ''],
    [[7], ''],
    [[1, 1], ''],
  ])('says of an only output %j whether its values are those of classes: %j', async (shape, code) => {
    const output = float32(shape, Array<number>(shape.reduce((a, b) => a * b)).fill(0.5));
    const model = { session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), { output }), labels: null };
    const { classifier: found } = (await machine(one(), { vision: model }).service('vision')).abilities;
    expect([found.able, found.code]).toEqual([true, code]);
    expect(found.warnings.length).toBe(code === '' ? 0 : 1);
  });

  it('takes a label list for classes, whatever the shape', async () => {
    const output = float32([1, 2, 2], [0.1, 0.2, 0.3, 0.4]);
    const model = {
      session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), { output }),
      labels: ['a', 'b', 'c', 'd'],
    };
    const { classifier: found } = (await machine(one(), { vision: model }).service('vision')).abilities;
    expect(found).toMatchObject({ able: true, code: '', warnings: [] });
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
