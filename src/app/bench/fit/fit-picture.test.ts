import { expect, it } from 'vitest';
import type { DecodingAlone } from '../../../../workers/fit/client.ts';
import type { DecodingTrial, TriedDecoding } from '../../../../workers/vision/protocol.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { FitPicture } from './fit-picture.svelte.ts';

const decoding = (read: string): DecodingAlone => ({
  model: new Uint8Array(1),
  reads: [read],
  size: { widthPx: 64, heightPx: 32 },
  isPadded: false,
  preprocessing: { colour: 'rgb', mean: [0, 0, 0], stdDev: [1, 1, 1], letterbox: null },
});

/** A worker that keeps each trial until the test answers it, and the pictures that were closed. */
function setUp() {
  const trials: { readonly reads: DecodingTrial['reads']; readonly signal: AbortSignal; answer(): void }[] = [];
  const closed: string[] = [];
  const picture = new FitPicture({
    tryDecoding: ({ reads }, signal) =>
      new Promise((resolve) => {
        const name = reads[0]!;
        const tried = {
          name,
          boxes: [{}],
          verdict: { kind: 'plausible' },
          picture: { close: () => closed.push(name) },
        } as unknown as TriedDecoding;
        trials.push({ reads, signal, answer: () => resolve(tried) });
      }),
  });
  return { picture, trials, closed };
}
const named = ({ tried }: FitPicture) => (tried as { readonly name: string } | null)?.name;

it('tries no decoding that came after another one was asked for', async () => {
  const { picture, trials } = setUp();
  const late = deferred<DecodingAlone>();
  const first = picture.show(() => late.promise, null);
  const second = picture.show(async () => decoding('second'), null);
  await expect.poll(() => trials.length).toBe(1);
  late.resolve(decoding('first'));
  await first;
  expect([trials.map(({ reads }) => reads), picture.working !== null]).toEqual([[['second']], true]);
  trials[0]!.answer();
  await second;
  expect([named(picture), picture.working !== null]).toEqual(['second', false]);
});

it('closes a picture that comes late, and one that another replaces', async () => {
  const { picture, trials, closed } = setUp();
  const first = picture.show(async () => decoding('first'), null);
  await expect.poll(() => trials.length).toBe(1);
  const second = picture.show(async () => decoding('second'), null);
  await expect.poll(() => trials.length).toBe(2);
  trials[1]!.answer();
  await second;
  trials[0]!.answer();
  await first;
  expect([named(picture), closed]).toEqual(['second', ['first']]);
  picture.clear();
  expect([named(picture), closed]).toEqual([undefined, ['first', 'second']]);
});

it('says nothing of what failed after it was cleared', async () => {
  const { picture } = setUp();
  const late = deferred<DecodingAlone>();
  const shown = picture.show(() => late.promise, null);
  picture.clear();
  late.reject(new Error('gone'));
  await shown;
  expect([picture.said, picture.working !== null]).toEqual(['', false]);
});

it('is given up by a person while it is tried, and takes nothing that comes later', async () => {
  const { picture, trials, closed } = setUp();
  const shown = picture.show(async () => decoding('slow'), null);
  await expect.poll(() => trials.length).toBe(1);
  expect(picture.working).toEqual({ fraction: null });
  picture.cancel();
  expect([picture.working, picture.said]).toEqual([null, 'Trying it on the frame was stopped.']);
  expect(trials[0]!.signal.aborted).toBe(true);
  trials[0]!.answer();
  await shown;
  expect([named(picture), closed, picture.said]).toEqual([undefined, ['slow'], 'Trying it on the frame was stopped.']);
});
