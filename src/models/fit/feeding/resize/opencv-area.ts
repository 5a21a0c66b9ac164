import type { Raster } from './raster.ts';
import { roundHalfEven } from './round-half-even.ts';

const f32 = Math.fround;

/**
 * Says by which whole numbers a picture shrinks.
 * @param source size before, in pixels
 * @param widthPx width after
 * @param heightPx height after
 * @returns source pixels to a pixel, on each axis; null: they are no whole numbers
 * @example
 * wholeShrinking({ widthPx: 8, heightPx: 6 }, 4, 2); // => { columns: 2, rows: 3 }
 * wholeShrinking({ widthPx: 8, heightPx: 6 }, 3, 2); // => null
 */
export function wholeShrinking(
  source: Pick<Raster, 'widthPx' | 'heightPx'>,
  widthPx: number,
  heightPx: number,
): { readonly columns: number; readonly rows: number } | null {
  const [columns, rows] = [source.widthPx / widthPx, source.heightPx / heightPx];
  return Number.isInteger(columns) && Number.isInteger(rows) ? { columns, rows } : null;
}

/** `INTER_AREA` of a picture that does not grow: each pixel is the mean of the area that it covers. */
export function resizeByArea(source: Raster, widthPx: number, heightPx: number): Raster {
  const whole = wholeShrinking(source, widthPx, heightPx);
  const samples = whole
    ? wholeAreas(source, widthPx, heightPx, whole)
    : partAreas(source, areaLine(source.widthPx, widthPx), areaLine(source.heightPx, heightPx));
  return { widthPx, heightPx, channels: source.channels, samples };
}

function wholeAreas(
  { widthPx: fromWidth, channels, samples }: Raster,
  widthPx: number,
  heightPx: number,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Uint8ClampedArray {
  const into = new Uint8ClampedArray(widthPx * heightPx * channels);
  const scale = f32(1 / (columns * rows));
  for (let y = 0, o = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      for (let channel = 0; channel < channels; channel++, o++) {
        let sum = 0;
        for (let row = 0; row < rows; row++) {
          let i = ((y * rows + row) * fromWidth + x * columns) * channels + channel;
          for (let column = 0; column < columns; column++, i += channels) sum += samples[i]!;
        }
        // Halves of 2×2 go up, all others to the even number.
        into[o] = columns === 2 && rows === 2 ? (sum + 2) >> 2 : roundHalfEven(f32(sum * scale));
      }
    }
  }
  return into;
}

/** Which source lines a line of the result is made of: source, result and share, in the order of their sums. */
interface AreaLine {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly share: Float32Array;
}

function areaLine(from: number, to: number): AreaLine {
  const scale = from / to;
  const parts: { from: number; to: number; share: number }[] = [];
  for (let at = 0; at < to; at++) {
    const [begin, end] = [at * scale, at * scale + scale];
    const cell = Math.min(scale, from - begin);
    let [first, last] = [Math.ceil(begin), Math.floor(end)];
    last = Math.min(last, from - 1);
    first = Math.min(first, last);
    if (first - begin > 1e-3) parts.push({ from: first - 1, to: at, share: (first - begin) / cell });
    for (let place = first; place < last; place++) parts.push({ from: place, to: at, share: 1 / cell });
    if (end - last > 1e-3) parts.push({ from: last, to: at, share: Math.min(Math.min(end - last, 1), cell) / cell });
  }
  return {
    count: to,
    from: Int32Array.from(parts, (part) => part.from),
    to: Int32Array.from(parts, (part) => part.to),
    share: Float32Array.from(parts, (part) => part.share),
  };
}

/** Sums in float32, in OpenCV's order: a source row at a time, its columns first. */
function partAreas({ widthPx: fromWidth, channels, samples }: Raster, columns: AreaLine, rows: AreaLine) {
  const length = columns.count * channels;
  const into = new Uint8ClampedArray(length * rows.count);
  const line = new Float32Array(length);
  const sum = new Float32Array(length);
  let row = rows.to[0] ?? 0;
  const finish = () => {
    for (let i = 0; i < length; i++) into[row * length + i] = roundHalfEven(sum[i]!);
  };
  for (let j = 0; j < rows.to.length; j++) {
    line.fill(0);
    for (let k = 0; k < columns.to.length; k++) {
      for (let channel = 0; channel < channels; channel++) {
        const o = columns.to[k]! * channels + channel;
        const sample = samples[(rows.from[j]! * fromWidth + columns.from[k]!) * channels + channel]!;
        line[o] = f32(line[o]! + f32(sample * columns.share[k]!));
      }
    }
    const share = rows.share[j]!;
    if (rows.to[j] === row) for (let i = 0; i < length; i++) sum[i] = f32(sum[i]! + f32(share * line[i]!));
    else {
      finish();
      row = rows.to[j]!;
      for (let i = 0; i < length; i++) sum[i] = f32(share * line[i]!);
    }
  }
  finish();
  return into;
}
