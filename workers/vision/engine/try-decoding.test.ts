import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { oneAtATime } from '../../../src/base/schedule/one-at-a-time.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import { buildVisionService } from '../../../src/machine/vision/vision-service.ts';
import type { DecodingTrial } from '../protocol.ts';
import { DecodingTrials } from './try-decoding.ts';

const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
const ports = {
  font: { advanceOf: () => 0, maskOf: () => noMask },
  stretchKernel: referenceStretchKernel,
  turn: oneAtATime(),
  nowMs: () => 0,
};
const going = new AbortController().signal;
const frameOf = (): Frame => ({
  format: 'rgba8',
  widthPx: 16,
  heightPx: 8,
  samples: new Uint8ClampedArray(4 * 16 * 8).fill(255),
});

const trial: DecodingTrial = {
  decoding: new Uint8Array([1]),
  reads: ['raw'],
  widthPx: 16,
  heightPx: 16,
  labels: ['cat', 'dog'],
  input: { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' },
};

/** Trials with a fake network and a decoding that gives two boxes and an empty row. */
function bench(scores: readonly number[] = [0.9, 0.4, 0]) {
  const network = fixedSession(imageInput([1, 16, 16, 3], 'uint8'), { raw: float32([1, 1], [7]) });
  const service = buildVisionService(visionServiceConfig({}), { session: network, labels: null });
  const decoding = fixedSession(imageInput([1, 1], 'float32', 'output 0'), {
    location: float32([1, 3, 4], [0.25, 0, 0.75, 0.5, 0.25, 0.5, 0.5, 1, 0, 0, 0, 0]),
    category: float32([1, 3], [1, 0, 0]),
    score: float32([1, 3], scores),
  });
  let released = 0;
  const session = { ...decoding, release: async () => void released++ };
  const trials = new DecodingTrials({ open: async () => session });
  return { network, decoding, service, trials, released: () => released };
}

describe('DecodingTrials', () => {
  it('reads boxes as shares of the frame, with their labels, and no empty rows', async () => {
    const { trials, service, decoding, released } = bench();
    const { boxes, verdict } = await trials.read(trial, frameOf(), service, ports, going);
    expect(boxes).toEqual([
      { box: [0, 0.25, 0.5, 0.75], score: expect.closeTo(0.9) as number, label: 'dog' },
      { box: [0.5, 0.25, 1, 0.5], score: expect.closeTo(0.4) as number, label: 'cat' },
    ]);
    expect(verdict.kind).toBe('plausible');
    expect(decoding.feeds).toEqual([{ 'output 0': float32([1, 1], [7]) }]);
    expect(released()).toBe(1);
  });

  it('runs the network once for all decodings of a feeding, and again for another frame or feeding', async () => {
    const { trials, service, network, decoding } = bench();
    const frame = frameOf();
    for (const reads of [trial, { ...trial, decoding: new Uint8Array([2]) }])
      await trials.read(reads, frame, service, ports, going);
    expect([network.feeds.length, decoding.feeds.length]).toEqual([1, 2]);
    await trials.read({ ...trial, input: { ...trial.input, bgr: true } }, frame, service, ports, going);
    expect(network.feeds.length).toBe(2);
    await trials.read({ ...trial, input: { ...trial.input, bgr: true } }, frameOf(), service, ports, going);
    expect(network.feeds.length).toBe(3);
  });

  it('fits the frame in where it is padded, and takes boxes back onto it', async () => {
    const { trials, service, network } = bench();
    const padded = { ...trial, input: { ...trial.input, fit: 'letterbox' } } as const;
    const { boxes } = await trials.read(padded, frameOf(), service, ports, going);
    // The letterboxed frame fills half of the input's height, so a box from 1/4 to 3/4 covers the whole frame.
    expect(boxes[0]!.box).toEqual([0, 0, 0.5, 1]);
    const { data } = network.feeds[0]!['image']!;
    expect([data[0], data[3 * 16 * 8]]).toEqual([114, 255]);
  });

  it('opens no decoding after it was given up, and keeps the run for the next', async () => {
    const { trials, service, network, decoding } = bench();
    const frame = frameOf();
    const giving = new AbortController();
    const read = trials.read(trial, frame, service, ports, giving.signal);
    giving.abort(new Error('Given up.'));
    await expect(read).rejects.toThrow('Given up.');
    await expect(trials.read(trial, frame, service, ports, giving.signal)).rejects.toThrow('Given up.');
    expect([network.feeds.length, decoding.feeds.length]).toEqual([1, 0]);
    await trials.read(trial, frame, service, ports, going);
    expect([network.feeds.length, decoding.feeds.length]).toEqual([1, 1]);
  });

  it('says what cannot be right, and that nothing was found', async () => {
    const { trials, service } = bench([3, 2, 0]);
    expect((await trials.read(trial, frameOf(), service, ports, going)).verdict.kind).toBe('refused');
    const none = bench([0, 0, 0]);
    const { boxes, verdict } = await none.trials.read(trial, frameOf(), none.service, ports, going);
    expect([boxes, verdict.kind]).toEqual([[], 'unsure']);
  });
});
