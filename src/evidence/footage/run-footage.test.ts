import { expect, it } from 'vitest';
import { collect } from '../../../tests/collect.ts';
import { footageFrame } from '../../../tests/footage-frames.ts';
import type { FootageFrame } from './footage-frame.ts';
import { framesWithPictures, runFootage, type NamedPlace } from './run-footage.ts';

interface Source {
  /** places that were read so far */
  readonly taken: number[];
  readonly isEnded: () => boolean;
  readonly reads: AsyncGenerator<NamedPlace>;
}

function source(...indices: readonly number[]): Source {
  const taken: number[] = [];
  let isEnded = false;
  async function* read(): AsyncGenerator<NamedPlace> {
    try {
      for (const index of indices) {
        taken.push(index);
        yield { index, timeMs: 100 * index, name: 'clip.mp4' };
      }
    } finally {
      isEnded = true;
    }
  }
  return { taken, isEnded: () => isEnded, reads: read() };
}

const { stages, failure, detections, classifications } = footageFrame(0, [['cat', 0.9]]);
const seen = { stages, failure, detections, classifications };
const ported = { failureOf: (error: unknown) => ({ code: 'failed', message: (error as Error).message }), atOnce: 2 };

it('runs frames in their places, and a failing one is an answer', async () => {
  const { signal } = new AbortController();
  const see = async ({ index }: NamedPlace) => {
    if (index === 2) throw new Error('it ends early');
    return seen;
  };
  const ran = await collect(runFootage(source(0, 2, 4).reads, { ...ported, see, signal }));
  expect(ran).toEqual([
    footageFrame(0, [['cat', 0.9]]),
    footageFrame(2, [], { stages: [], failure: { code: 'failed', message: 'it ends early' }, detections: null }),
    footageFrame(4, [['cat', 0.9]]),
  ]);
});

it('reads no more than is under way at once', async () => {
  const { reads, taken } = source(0, 1, 2, 3);
  const ran = runFootage(reads, { ...ported, see: async () => seen, signal: new AbortController().signal });
  await ran.next();
  expect(taken).toEqual([0, 1]);
  await ran.next();
  expect(taken).toEqual([0, 1, 2]);
});

it('ends with an error that every frame would meet, and with its signal, and ends the reading', async () => {
  const gone = source(0, 1);
  const refuse = () => Promise.reject(new Error('no model'));
  const failureOf = (error: unknown): never => {
    throw error;
  };
  const { signal } = new AbortController();
  await expect(collect(runFootage(gone.reads, { see: refuse, failureOf, atOnce: 1, signal }))).rejects.toThrow(
    'no model',
  );
  expect([gone.taken, gone.isEnded()]).toEqual([[0], true]);
  const stopped = source(0, 1, 2);
  const controller = new AbortController();
  const see = async () => {
    controller.abort(new Error('stopped'));
    return seen;
  };
  const ran = runFootage(stopped.reads, { ...ported, see, signal: controller.signal });
  await expect(collect(ran)).rejects.toThrow('stopped');
  expect([stopped.taken, stopped.isEnded()]).toEqual([[0, 1], true]);
});

it('does not end without a word where its signal ended the reading', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(collect(runFootage(source().reads, { ...ported, see: async () => seen, signal }))).rejects.toThrow(
    'stopped',
  );
});

async function* frames(...indices: readonly number[]): AsyncGenerator<FootageFrame> {
  for (const index of indices) yield footageFrame(index, []);
}

it.each([
  [[0, 1, 2], [0, 1, 2], [0, 1, 2], [], 3],
  [[1, 3], [0, 1, 2, 3, 4], [1, 3], [0, 2], 4],
  [[0, 1, 2], [0, 2], [0, 2], [], 2],
  [[0, 3], [0, 1, 2], [0], [1, 2], 3],
  [[1], [2], [], [2], 1],
  [[], [0], [], [], 0],
])('joins frames %j with pictures %j', async (run, read, joined, passed, count) => {
  const { reads, taken, isEnded } = source(...read);
  const over: number[] = [];
  const pairs = await collect(framesWithPictures(frames(...run), reads, ({ index }) => void over.push(index)));
  expect(pairs.map(([frame, picture]) => [frame.index, picture.index])).toEqual(joined.map((index) => [index, index]));
  expect([over, taken.length, isEnded() || count === 0]).toEqual([passed, count, true]);
});
