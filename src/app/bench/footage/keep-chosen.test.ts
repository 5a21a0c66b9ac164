import { expect, it } from 'vitest';
import { footageFrame, memoryFootageStore, runSetup } from '../../../../tests/footage-frames.ts';
import type { CaptureParcel } from '../../../evidence/capture/capture.ts';
import type { FootageReader } from '../../../platform/ports/footage-reader.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { FootageSession } from './footage-session.svelte.ts';
import { keepChosen } from './keep-chosen.ts';
import { RunFrames } from './run-frames.ts';

function framesOf(indices: readonly number[], score: number): RunFrames {
  const frames = new RunFrames(memoryFootageStore(), 'one');
  for (const index of indices) frames.add(footageFrame(index, [['cat', score]]));
  return frames;
}

/** Keeps what was chosen; with the first picture the run begins again, with other results of another reader. */
async function kept(chosen: readonly number[]) {
  const parcels: CaptureParcel[] = [];
  const reader = (isAnother: boolean): Pick<FootageReader, 'frameAt'> => ({
    frameAt: async () => {
      run.frames = framesOf([0, 1, 2, 3], 0.9);
      if (!isAnother) run.reader = reader(true);
      return new Blob([isAnother ? 'another' : 'of this run']);
    },
  });
  const run = { setup: runSetup, frames: framesOf([0, 1, 3], 0.7), reader: reader(false) };
  const session = { run, steps: [], rule: runSetup.filter, footage: { kind: 'video', name: 'clip.mp4' } };
  const sources: string[] = [];
  let ids = 0;
  const host = {
    sha256: async () => 'f'.repeat(64),
    keepStorage: () => undefined,
    randomId: () => `id${ids++}`,
    nowMs: () => 1,
    captures: { put: async (put: readonly CaptureParcel[]) => void parcels.push(...put) },
  };
  const vision = {
    keepUnseen: async (image: Blob, info: object) => {
      sources.push(await image.text());
      return { info, content: image, thumbnail: image, widthPx: 100, heightPx: 50, sha256: '', encoding: 'original' };
    },
  };
  const count = await keepChosen(
    session as unknown as FootageSession,
    { vision } as never,
    host as unknown as CaptureHost,
    chosen.map((index) => ({ index, because: [{ kind: 'every', frames: 1 }] }) as never),
    () => undefined,
    new AbortController().signal,
  );
  return {
    count,
    sources,
    scores: parcels.map(({ capture }) => [capture.source.index, capture.detections![0]!.score]),
  };
}

it('keeps the results of the run whose setup is kept with them, though it begins again meanwhile', async () => {
  const { scores, sources } = await kept([0, 1, 3]);
  expect(scores).toEqual([[0, 0.7], [1, 0.7], [3, 0.7]]); // prettier-ignore
  expect(new Set(sources)).toEqual(new Set(['of this run']));
});

it('keeps no other frame in the place of one that the run has not', async () => {
  const { count, scores } = await kept([1, 2, 3]);
  expect([count, scores.map(([index]) => index)]).toEqual([2, [1, 3]]);
});
