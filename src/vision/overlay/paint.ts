import type { Frame } from '../frame.ts';
import { toRgba8, type Rgba8Frame } from '../frame-formats.ts';
import { coverOutline, coverRectangle, type Coverage } from './coverage.ts';
import {
  boxLineWidthPx,
  overlayColor,
  textSizePx,
  type BoxItem,
  type DisplayList,
  type TextItem,
} from './display-list.ts';
import type { OutlineFont } from './outline-font.ts';

/** Paints the list onto a copy of the frame, as 8-bit RGBA. The same pixels on every host: nothing is left to a canvas. */
export function paint(frame: Frame, displayList: DisplayList, font: OutlineFont): Rgba8Frame {
  const source = toRgba8(frame);
  if (displayList.length === 0) return source;
  const { widthPx, heightPx } = source;
  const coverage: Coverage = { widthPx, heightPx, alpha: new Float32Array(widthPx * heightPx) };
  for (const item of displayList) {
    if (item.kind === 'box') coverBox(coverage, item);
    else coverText(coverage, item, font);
  }
  return { ...source, samples: blend(source.samples, coverage.alpha) };
}

function coverBox(coverage: Coverage, { xMin, yMin, xMax, yMax }: BoxItem): void {
  // The machine strokes four lines, and its drawing library leaves nothing of a line without length.
  if (xMin === xMax && yMin === yMax) return;
  const half = boxLineWidthPx / 2;
  const line = (x0: number, y0: number, x1: number, y1: number) =>
    coverRectangle(coverage, x0 - half, y0 - half, x1 + half, y1 + half);
  line(xMin, yMin, xMax, yMin);
  line(xMin, yMin, xMin, yMax);
  line(xMax, yMin, xMax, yMax);
  line(xMin, yMax, xMax, yMax);
}

function coverText(coverage: Coverage, { text, leftPx, baselinePx }: TextItem, font: OutlineFont): void {
  const scale = textSizePx / font.unitsPerEm;
  let penPx = leftPx;
  for (const character of text) {
    const { advance, commands } = font.glyph(character);
    coverOutline(coverage, commands, { scale, leftPx: penPx, baselinePx });
    penPx += advance * scale;
  }
}

/** The overlay colour over straight-alpha samples. */
function blend(samples: Uint8ClampedArray, coverage: Float32Array): Uint8ClampedArray<ArrayBuffer> {
  const into = new Uint8ClampedArray(samples);
  for (let pixel = 0, i = 0; pixel < coverage.length; pixel++, i += 4) {
    const over = coverage[pixel]!;
    if (over === 0) continue;
    const under = (samples[i + 3]! / 255) * (1 - over);
    const alpha = over + under;
    for (let k = 0; k < 3; k++) into[i + k] = (overlayColor[k]! * over + samples[i + k]! * under) / alpha;
    into[i + 3] = alpha * 255;
  }
  return into;
}
