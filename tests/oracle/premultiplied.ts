import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';

/** The high bytes of a frame's colours after multiplication by alpha at 16 bits, as Go's image/color returns colours. */
export function premultiplied(frame: Frame): Uint8Array {
  if (frame.format === 'rgba8' && frame.alphaOnBlack) {
    const alpha = frame.alphaOnBlack; // in such a frame the colours are premultiplied already
    return Uint8Array.from(frame.samples, (sample, i) => (i % 4 === 3 ? alpha[(i - 3) / 4]! : sample));
  }
  const from = frame.format === 'rgba16' ? frame.samples : toRgba8(frame).samples;
  const [spread, opaque] = frame.format === 'rgba16' ? [1, 0xffff] : [257, 0xff];
  return Uint8Array.from(from, (sample, i) => {
    const whole = sample * spread;
    return (i % 4 === 3 ? whole : Math.floor((whole * from[i - (i % 4) + 3]!) / opaque)) >> 8;
  });
}
