import { expect, it } from 'vitest';
import { createEvaluationApi } from '../../../../workers/evaluation/api.ts';
import type { ImageToCount } from '../../../../workers/evaluation/client.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import { BoxCounting } from './box-counting.ts';

const image = (id: string): TruthImage => ({
  id,
  name: `${id}.jpg`,
  sizeBytes: 1,
  boxes: [],
  labels: [],
  sequence: '',
});

const resultOf = (of: TruthImage, score: number): EvaluatedImage => ({
  image: of,
  raw: {
    widthPx: 10,
    heightPx: 10,
    labels: ['cat'],
    labelIndex: Uint32Array.of(0),
    score: Float64Array.of(score),
    box: Float64Array.of(0, 0, 5, 5),
    seen: null,
    classes: null,
  },
});

/** A worker that can die: the next call finds a new one. */
function engine() {
  const given: string[][] = [];
  let api = createEvaluationApi();
  return {
    given,
    die: () => void (api = createEvaluationApi()),
    begin: (ids: readonly string[]) => api.begin(ids),
    add: (some: readonly ImageToCount[]) => {
      given.push(some.map(({ id }) => id));
      return api.add(some);
    },
    count: (serial: number) => api.count(serial),
  };
}

const [a, b, c] = [image('a'), image('b'), image('c')];
const order = [a, b, c];

it('gives each image once, and numbers images in the order of the run', async () => {
  const worker = engine();
  const counting = new BoxCounting(worker);
  const first = await counting.count(order, [resultOf(b, 0.2)]);
  const second = await counting.count(order, [resultOf(b, 0.2), resultOf(a, 0.1)]);
  expect(worker.given).toEqual([['b'], ['a']]);
  expect([first, second].map(({ images }) => images.map(({ image: { id } }) => id))).toEqual([['b'], ['a', 'b']]);
  expect([...second.boxes.detections.score]).toEqual([0.1, 0.2]);
  expect(second.serial).toBeGreaterThan(first.serial);
});

it('gives all images to a new worker when the former one died', async () => {
  const worker = engine();
  const counting = new BoxCounting(worker);
  const results = [resultOf(a, 0.1), resultOf(c, 0.3)];
  await counting.count(order, results);
  worker.die();
  const { boxes } = await counting.count(order, results);
  expect([...boxes.detections.score]).toEqual([0.1, 0.3]);
  expect(worker.given).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ]);
});

it('starts anew with another run, or with the same images and other truth', async () => {
  const worker = engine();
  const counting = new BoxCounting(worker);
  await counting.count(order, [resultOf(a, 0.1)]);
  const corrected = order.map((one) => ({ ...one }));
  const { images, boxes } = await counting.count(corrected, [resultOf(corrected[1]!, 0.2)]);
  expect([images.map(({ image: { id } }) => id), boxes.detections.count]).toEqual([['b'], 1]);
});

it('rejects with what cannot be counted', async () => {
  const counting = new BoxCounting(engine());
  await expect(counting.count(order, [resultOf(a, NaN)])).rejects.toThrow('NaN');
});
