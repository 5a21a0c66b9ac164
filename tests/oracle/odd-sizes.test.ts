import { encode } from 'fast-png';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withMachineCamera } from '../../src/machine/config/parse/machine-camera.ts';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { toStraightRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import { hasOracle, openOracle, type Oracle } from './oracle.ts';

const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7919 + (i >> 2) * 131) & 255);
const noise16 = (length: number) => Uint16Array.from({ length }, (_, i) => (i * 7919 + (i >> 2) * 131) & 0xffff);
const jpeg = (name: string) => readFileSync(new URL(`../jpegs/${name}.jpg`, import.meta.url));
const png = (width: number, height: number) => encode({ width, height, channels: 3, data: noise(3 * width * height) });

const component = (name: string, model: string, attributes: object = {}) => ({
  name,
  model,
  attributes,
  api: 'rdk:component:camera',
});
const transform = (name: string, source: string, ...pipeline: object[]) =>
  component(name, 'transform', { source, pipeline });
const pass = { type: '' };
const turn = { type: 'rotate', attributes: { angle_degs: 90 } };
const resize = { type: 'resize', attributes: { width_px: 13, height_px: 9 } };
const cut = { type: 'crop', attributes: { x_min_px: 0, y_min_px: 0, x_max_px: 999, y_max_px: 999 } };

/** The chains of components from camera w to camera t. */
const ways: Readonly<Record<string, readonly object[]>> = {
  turn: [transform('t', 'w', turn)],
  resize: [transform('t', 'w', resize)],
  crop: [transform('t', 'w', cut)],
  'turn by 45': [transform('t', 'w', { type: 'rotate', attributes: { angle_degs: 45 } })],
  'pass through': [transform('t', 'w', pass)],
  'pass through, turn': [transform('t', 'w', pass, turn)],
  'resize to odd, turn': [transform('t', 'w', resize, turn)],
  'a camera that passes through, one that turns': [transform('p', 'w', pass), transform('t', 'p', turn)],
  'a camera that resizes to odd, one that turns': [transform('p', 'w', resize), transform('t', 'p', turn)],
};

const frames: Readonly<Record<string, Uint8Array>> = {
  '321×241': png(321, 241),
  '320×241': png(320, 241),
  '321×240': png(321, 240),
  '320×240': png(320, 240),
  'transparent 9×7': encode({ width: 9, height: 7, channels: 4, data: noise(9 * 7 * 4) }),
  'of 16 bits 9×7': encode({ width: 9, height: 7, channels: 3, depth: 16, data: noise16(9 * 7 * 3) }),
  'transparent 8×6': encode({ width: 8, height: 6, channels: 4, data: noise(8 * 6 * 4) }),
  'depth 9×7': encode({ width: 9, height: 7, channels: 1, depth: 16, data: noise16(9 * 7) }),
  '35×27, JPEG 4:2:0': jpeg('420'),
  '35×27, JPEG 4:2:2': jpeg('422'),
  '35×27, gray JPEG': jpeg('gray'),
  '35×27, CMYK JPEG': jpeg('cmyk'),
  '35×27, RGB JPEG': jpeg('rgb'),
};

describe.skipIf(!hasOracle)('odd sizes as the machine reads them (skipped without ../shared/machine-oracle)', () => {
  let oracle: Oracle;
  beforeAll(async () => (oracle = await openOracle({ patienceMs: 2500 })));
  afterAll(() => oracle.close());

  async function both(bytes: Uint8Array, way: readonly object[], source: 'webcam' | 'module') {
    const config = { components: [component('w', 'webcam'), ...way] };
    const question = { op: 'transform', camera: 't', frames: [bytes], source, wantsPixels: true } as const;
    const [answer] = await oracle.ask([{ ...question, config }]);
    const parsed = withMachineCamera(parseMachineConfig(JSON.stringify(config)).config, source);
    const frameOf = () => Promise.resolve(decodeStill(bytes)!);
    const font = {
      advanceOf: () => 0,
      maskOf: () => ({ leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: noise(0) }),
    };
    const ours = createMachine(parsed, {}, { frameOf, font }).frameFromCamera('t');
    return { ours, theirs: answer!.frames[0]! };
  }

  const cases = Object.keys(frames).flatMap((size) =>
    Object.keys(ways).flatMap((way) => (['webcam', 'module'] as const).map((source) => [source, size, way] as const)),
  );
  it.each(cases)('of a %s, %s: %s', async (source, size, way) => {
    const { ours, theirs } = await both(frames[size]!, ways[way]!, source);
    if (theirs.error !== null) {
      await expect(ours).rejects.toThrow();
      return;
    }
    const { widthPx, heightPx } = await ours;
    expect([widthPx, heightPx]).toEqual([theirs.widthPx, theirs.heightPx]);
    expect(Buffer.compare(Buffer.from(pixelsOf(await ours)), Buffer.from(await theirs.pixels()))).toBe(0);
  });

  it.each([
    ['webcam', 1, 6],
    ['webcam', 6, 1],
    ['webcam', 333, 1],
    ['module', 1, 6],
    ['module', 333, 1],
  ] as const)('of a %s, %i×%i: nothing remains of a webcam’s', async (source, widthPx, heightPx) => {
    const { ours, theirs } = await both(png(widthPx, heightPx), ways['turn']!, source);
    if (source === 'module') {
      expect(pixelsOf(await ours)).toEqual(new Uint8ClampedArray(await theirs.pixels()));
      return;
    }
    await expect(ours).rejects.toMatchObject({ code: 'empty-window' });
    expect([theirs.widthPx, theirs.heightPx]).toEqual([0, 0]);
  });
});

/** Pixels in the oracle's format, see rules.test.ts. */
function pixelsOf(frame: Frame): Uint8ClampedArray {
  if (frame.format === 'rgba8' && frame.alphaOnBlack)
    return frame.samples.map((sample, i) => (i % 4 === 3 ? frame.alphaOnBlack![i >> 2]! : sample));
  const { samples } = toStraightRgba8(frame);
  return samples.map((sample, i) =>
    i % 4 === 3 ? sample : Math.floor((sample * 257 * samples[i | 3]! * 257) / 0xffff) >> 8,
  );
}
