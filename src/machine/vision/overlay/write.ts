import type { Frame } from '../frame/frame.ts';
import { toRgba8, type Rgba8Frame } from '../frame/frame-formats.ts';
import { coverText } from './cover-text.ts';
import { overlayColor, type TextItem } from './display-list.ts';
import type { TextFace } from './font/text-face.ts';

/**
 * Writes texts directly into a copy of the frame, as the machine writes classifications: there is no layer in
 * between, so coverage counts once.
 */
export function write(frame: Frame, texts: readonly TextItem[], face: TextFace): Rgba8Frame {
  const source = toRgba8(frame);
  if (texts.length === 0) return source;
  const samples = new Uint8ClampedArray(source.samples);
  for (const text of texts) {
    coverText(text, source, face, (x, y, over) => {
      const i = 4 * (y * source.widthPx + x);
      const below = samples[i + 3]!;
      const alpha = (Math.floor((below * 257 * (65535 - over)) / 65535) + over) >> 8;
      for (let k = 0; k < 3; k++) {
        const premultiplied = Math.floor((samples[i + k]! * 257 * below) / 255) >> 8;
        const mixed =
          Math.floor((premultiplied * 257 * (65535 - over)) / 65535) + Math.floor((over * overlayColor[k]!) / 255);
        samples[i + k] = straightOf(mixed >> 8, alpha);
      }
      samples[i + 3] = alpha;
    });
  }
  return { ...source, samples };
}

/**
 * The lowest straight sample that gives `premultiplied` again when multiplied as above: the machine keeps that one.
 */
function straightOf(premultiplied: number, alpha: number): number {
  return Math.ceil((premultiplied * 256 * 255) / (257 * alpha));
}
