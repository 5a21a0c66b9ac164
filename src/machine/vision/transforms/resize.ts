import type { ResizeAttributes } from '../../config/face/cameras.ts';
import type { Frame } from '../frame/frame.ts';
import { toRgba8, wholePixels, type Rgba8Frame } from '../frame/frame-formats.ts';
import { depthAs } from './depth-picture.ts';
import type { PixelStepRecord, TraceBack } from './pixel-step-record.ts';
import { TransformError } from './transform-error.ts';

/** Refuses sizes that no frame can take. @throws TransformError zero-size, negative-size */
function checkResize({ widthPx, heightPx }: ResizeAttributes): void {
  for (const [key, px] of [
    ['width_px', widthPx],
    ['height_px', heightPx],
  ] as const) {
    if (px === 0) throw new TransformError('zero-size', `Resize: ${key} is 0 or missing; give a size of at least 1.`);
    if (px < 0) throw new TransformError('negative-size', `Resize: ${key} is ${px}; give a size of at least 1.`);
  }
}

/**
 * Scales to the given size by nearest sample, as 8-bit RGBA on black: the machine's resize multiplies alpha into the colours,
 * and keeps it beside them.
 * @throws TransformError as checkResize
 */
export function resizeNearest(frame: Frame, attributes: ResizeAttributes): Rgba8Frame {
  checkResize(attributes);
  const { widthPx, heightPx } = attributes;
  const columns = nearestSources(frame.widthPx, widthPx);
  const rows = nearestSources(frame.heightPx, heightPx);
  const source = onBlack(frame);
  const from = wholePixels(source);
  const into = new Uint32Array(widthPx * heightPx);
  for (let y = 0, i = 0; y < heightPx; y++) {
    const row = rows[y]! * frame.widthPx;
    for (let x = 0; x < widthPx; x++) into[i++] = from[row + columns[x]!]!;
  }
  const samples = new Uint8ClampedArray(into.buffer);
  const { alphaOnBlack: alpha } = source;
  if (!alpha) return depthAs(frame, { format: 'rgba8', widthPx, heightPx, samples });
  const alphaOnBlack = new Uint8Array(widthPx * heightPx);
  for (let y = 0, i = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) alphaOnBlack[i++] = alpha[rows[y]! * frame.widthPx + columns[x]!]!;
  return { format: 'rgba8', widthPx, heightPx, samples, alphaOnBlack };
}

/** Index of the source sample below each destination sample's centre. */
function nearestSources(sourceLength: number, length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, d) => Math.floor(((2 * d + 1) * sourceLength) / (2 * length)));
}

/** 8-bit RGBA composited on black at 16 bits a sample and cut to the high byte, as Go's image/draw does it; alpha apart where it counts. */
function onBlack(frame: Frame): Rgba8Frame {
  const { samples } = frame;
  const opaque = frame.format === 'rgba16' ? 0xffff : 0xff;
  let isOpaque = true;
  for (let i = 3; i < samples.length && isOpaque; i += 4) isOpaque = samples[i] === opaque;
  if (isOpaque) return toRgba8(frame);
  const onto = new Uint8ClampedArray(samples.length);
  const alphaOnBlack = new Uint8Array(samples.length / 4);
  const spread = 0xffff / opaque; // 8-bit samples become 16-bit ones: 255 · 257 = 65535
  for (let i = 0; i < samples.length; i += 4) {
    const alpha = samples[i + 3]!;
    for (let k = i; k < i + 3; k++) onto[k] = Math.floor((samples[k]! * spread * alpha) / opaque) >> 8;
    onto[i + 3] = 255;
    alphaOnBlack[i / 4] = (alpha * spread) >> 8;
  }
  return { format: 'rgba8', widthPx: frame.widthPx, heightPx: frame.heightPx, samples: onto, alphaOnBlack };
}

export const resizeStep: PixelStepRecord<ResizeAttributes> = {
  apply: resizeNearest,
  sizeAfter(_, attributes) {
    checkResize(attributes);
    return { widthPx: attributes.widthPx, heightPx: attributes.heightPx };
  },
  gpuPass(before, after) {
    const isExact = (from: number, to: number) => 2 * from * to < 2 ** 32;
    const fits = isExact(before.widthPx, after.widthPx) && isExact(before.heightPx, after.heightPx);
    const sizes = [before, after].map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`).join(' to ');
    return {
      shader: 'resize-nearest',
      entryPoint: 'resize_nearest',
      params: [before.widthPx, before.heightPx, after.widthPx, after.heightPx],
      leaves: 'on black',
      ...(!fits && { tooLarge: `Resizing ${sizes} needs more than the GPU's 32 bits. The CPU does the same work.` }),
    };
  },
  trial: { name: 'a resize', attributes: { widthPx: 45, heightPx: 51 }, toleranceLevels: 0 },
};

export const traceResize: TraceBack<ResizeAttributes> = ({ x, y }, _, after, before) => ({
  x: ((x + 0.5) * before.widthPx) / after.widthPx - 0.5,
  y: ((y + 0.5) * before.heightPx) / after.heightPx - 0.5,
});
