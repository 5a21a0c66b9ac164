import { expect, it } from 'vitest';
import { colourClassifier } from '../../tests/fit/colour-classifier.ts';
import {
  inInput,
  letterboxedFrames,
  stretchedPets,
  type LetterboxedFrame,
} from '../../tests/fit/letterboxed-frames.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import { yoloV8Model } from '../../tests/fit/yolo-v8-model.ts';
import { createFeedingApi } from './api.ts';
import type { FeedingTask, LabelledPicture } from './protocol.ts';

const half = [0.5, 0.5, 0.5];
const service = {
  bgr: false,
  meanValue: half,
  stdDev: half,
  boxOrder: null,
  remapInputNames: {},
  remapOutputNames: {},
};
const model = stretchedPets();

const pictureOf = ({ name, png, boxes }: LetterboxedFrame): LabelledPicture => ({
  id: name,
  name,
  sequence: '',
  bytes: png,
  boxes,
});
const [first] = letterboxedFrames.map(pictureOf) as [LabelledPicture];

/** Runs a task as the worker does, on the runtime of Node. */
async function measured(task: Partial<FeedingTask>, file = model) {
  const opened: string[] = [];
  const api = createFeedingApi(
    { store: null as never, fetch: () => Promise.reject(new Error('Nothing is fetched.')) },
    {
      open: (bytes, backend) => {
        opened.push(backend);
        return backend === 'webgpu' ? Promise.reject(new Error('No GPU.')) : openSession(bytes);
      },
    },
  );
  const told: [string, number][] = [];
  const source = { kind: 'file', file: new File([file], 'pets.onnx') } as const;
  const usual: FeedingTask = {
    source,
    backend: 'wasm',
    service,
    labels: ['Cat', 'Dog'],
    pictures: [],
    areIndependent: false,
  };
  const found = await api.measure({ ...usual, ...task }, '', (...progress) => void told.push(progress));
  return { found, told, opened };
}

it('finds the recipe of labelled frames, what stretching loses, and that the border wins it back', async () => {
  const unread = { ...first, id: 'x', name: 'x.webp', bytes: new Uint8Array(9) };
  const hat = { label: 'hat', box: [0, 0, 1, 1] } as const;
  const known = letterboxedFrames.map(pictureOf);
  const pictures = [{ ...first, boxes: [...first.boxes, hat] }, ...known.slice(1), unread];
  const { found, told, opened } = await measured({ backend: 'webgpu', pictures, areIndependent: true });
  expect(found).toMatchObject({
    verdict: 'near',
    isPlaced: false,
    pictures: 7,
    measuredOn: { pictures: 7, units: 7, isApart: false },
    unknownLabels: ['hat'],
  });
  expect(found.recipe).toMatch(/letterbox in the middle/);
  expect(found.apart.join()).toMatch(/Cannot tell these apart: .*OpenCV linear/);
  expect(found.leftOut).toEqual([{ name: 'x.webp', why: expect.stringMatching(/neither PNG nor JPEG/) }]);
  const [own, ...others] = found.ways!;
  expect(own!.cure).toMatchObject({ kind: 'as it is', step: null, fit: null });
  expect(own!.loss.averagePrecision.verdict).toBe('worse');
  const padding = others.find(({ cure }) => cure.kind === 'padding')!;
  expect(padding.gain!.averagePrecision).toMatchObject({ verdict: 'better', second: 1 });
  expect(padding.cure.fit).toMatchObject({ family: 'fitted', options: { letterbox: 'pad' }, feedingFound: { preprocessing: { letterbox: { at: 'centre' } } } }); // prettier-ignore
  expect(told[0]).toEqual(['reading', 0]);
  expect(new Set(told.map(([phase]) => phase))).toEqual(new Set(['reading', 'searched', 'measured']));
  // A model that a GPU does not open runs on the CPU.
  expect(opened.slice(0, 2)).toEqual(['webgpu', 'wasm']);
});

it('reproduces the numbers that the model printed of one picture, and tells recipes apart that boxes alone do not', async () => {
  const [widthPx, heightPx] = [128, 44];
  const said = first.boxes.map(({ label, box }, at) => {
    const [xMin, yMin, xMax, yMax] = box!;
    return { label, box: [xMin * widthPx, yMin * heightPx, xMax * widthPx, yMax * heightPx] as const, score: [0.9, 0.8][at]! }; // prettier-ignore
  });
  const printed = { boxPx: 0.051, score: 0.0051 };
  const { found } = await measured({ pictures: [{ ...first, boxes: said, printed }] });
  expect(found).toMatchObject({ verdict: 'reproduced', pictures: 1 });
  expect(found.recipe).toMatch(/letterbox in the middle/);
  expect(found.apart.join()).not.toMatch(/upper left|stretched/);
  const far = await measured({ pictures: [{ ...first, boxes: said.map((one) => ({ ...one, score: 0.6 })), printed }] });
  expect(far.found.verdict).toBe('near');
});

it('counts frames of one video as one', async () => {
  const { found } = await measured({ pictures: letterboxedFrames.map((frame) => ({ ...pictureOf(frame), sequence: 'walk' })) }); // prettier-ignore
  expect([found.pictures, found.measuredOn.units]).toEqual([7, 1]);
  expect(found.ways![0]!.loss.averagePrecision.verdict).toBe('cannot tell');
});

it('counts frames of which nothing is recorded, and that look alike, as one, unless somebody says otherwise', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ ...pictureOf(letterboxedFrames[at % 2]!), id: `${at}` }));
  const { found } = await measured({ pictures: many });
  expect([found.measuredOn.units, found.dependence]).toEqual([1, { basis: 'alike', alikeCount: 12 }]);
  expect(found.ways![0]!.loss.averagePrecision.verdict).toBe('cannot tell');
  const stated = await measured({ pictures: many, areIndependent: true });
  expect([stated.found.measuredOn.units, stated.found.dependence.basis]).toEqual([12, 'stated']);
});

it('measures on frames that were not searched on, where these are enough', async () => {
  const many = Array.from({ length: 18 }, (_, at) => ({ ...pictureOf(letterboxedFrames[at % 7]!), id: `${at}` }));
  const { found } = await measured({ pictures: many, areIndependent: true });
  expect([found.pictures, found.measuredOn]).toEqual([18, { pictures: 6, units: 6, isApart: true }]);
});

it('searches colours alone where the model places frames by itself', async () => {
  const padded = fitModel(model, { family: 'fitted', options: { letterbox: 'pad' } }).model;
  const { found } = await measured({ pictures: letterboxedFrames.map(pictureOf) }, padded);
  expect(found).toMatchObject({ isPlaced: true, recipe: expect.stringMatching(/^(RGB|BGR)/) });
});

it('measures a model that has to be fitted first', async () => {
  const { found } = await measured({ pictures: letterboxedFrames.map(pictureOf) }, yoloV8Model([...inInput]));
  expect(found.ways!.map(({ cure }) => cure.kind)).toEqual(['as it is', 'padding']);
  expect(found.ways![0]!.cure.fit).toMatchObject({ options: { letterbox: 'stretch' } });
});

it('says in words why nothing is searched', async () => {
  const hat = { ...first, boxes: first.boxes.map(({ box }) => ({ label: 'hat', box })) };
  await expect(measured({ pictures: [hat] })).rejects.toThrow('No label of these pictures (hat) is one of the model (Cat, Dog).'); // prettier-ignore
  await expect(measured({ pictures: [{ ...first, boxes: [] }] })).rejects.toThrow('None of these pictures has a box.');
  const broken = { ...first, bytes: first.bytes.subarray(0, 60) };
  await expect(measured({ pictures: [broken] })).rejects.toThrow('None of the pictures can be read. frame1.png: ');
  const classifier = measured({ pictures: [first] }, colourClassifier());
  await expect(classifier).rejects.toThrow('Only detectors that Sightglass can read are measured');
});
