import { degreesOf, machineHsv } from './machine-hsv.ts';

/** A colour that a patch of a picture has, and how wide its hues are spread. */
export interface PatchColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** share of the turn of hue, 0..1, in which 95 of 100 of the coloured pixels lie, with a little to spare */
  readonly tolerance: number;
  /** the saturation and the value, 0..1, that 95 of 100 of the coloured pixels reach, and this one */
  readonly saturation: number;
  readonly value: number;
}

/** Share of a patch's pixels that must pass: nearer to 1, single ones would decide; a little more than their spread passes. */
const passed = 0.95;
const spareDeg = 4;

/**
 * Finds the colour of a patch: that of a pixel whose hue is the middle one, the most colourful of those.
 * @param pixels one number a pixel: red + 256 · green + 65536 · blue
 * @param widthPx width of the picture
 * @param heightPx height of the picture
 * @param patch in pixels, the last column and row left out; at least one pixel is taken
 * @returns null: every pixel is grey, black or white
 * @example
 * const patch = { xMin: 0, yMin: 0, xMax: 2, yMax: 1 };
 * const { red, green, blue } = colorOfPatch(Uint32Array.of(0xff, 0x20ff), 2, 1, patch);
 * [red, green, blue]; // => [255, 0, 0]
 * colorOfPatch(Uint32Array.of(0x808080), 1, 1, patch); // => null
 */
export function colorOfPatch(
  pixels: Uint32Array,
  widthPx: number,
  heightPx: number,
  patch: { readonly xMin: number; readonly yMin: number; readonly xMax: number; readonly yMax: number },
): PatchColor | null {
  const columns = range(patch.xMin, patch.xMax, widthPx);
  const colored = range(patch.yMin, patch.yMax, heightPx).flatMap((y) =>
    columns.flatMap((x) => {
      const pixel = pixels[y * widthPx + x]!;
      const [red, green, blue] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
      const hsv = machineHsv(red, green, blue);
      return hsv.saturation === 0 ? [] : [{ red, green, blue, ...hsv, degrees: degreesOf(hsv.hue) }];
    }),
  );
  if (colored.length === 0) return null;

  // Hues go round: they are put in order around their mean direction, in which pale pixels count less.
  let [east, north] = [0, 0];
  for (const { degrees, saturation, value } of colored) {
    east += Math.cos((degrees / 180) * Math.PI) * saturation * value;
    north += Math.sin((degrees / 180) * Math.PI) * saturation * value;
  }
  const mean = (Math.atan2(north, east) / Math.PI) * 180;
  const offsets = colored.map(({ degrees }) => turnBetween(mean, degrees));
  const middle = quantile(offsets, 0.5);
  const apart = offsets.map((offset) => Math.abs(offset - middle));
  const nearest = quantile(apart, 0.1);
  const chosen = colored
    .filter((_, at) => apart[at]! <= nearest)
    .reduce((best, one) => (one.saturation * one.value > best.saturation * best.value ? one : best));
  const { red, green, blue } = chosen;
  const fromChosen = colored.map(({ degrees }) => Math.abs(turnBetween(chosen.degrees, degrees)));
  return {
    red,
    green,
    blue,
    tolerance: Math.min(1, (2 * (quantile(fromChosen, passed) + spareDeg)) / 360),
    saturation: reached(
      chosen.saturation,
      colored.map((pixel) => pixel.saturation),
    ),
    value: reached(
      chosen.value,
      colored.map((pixel) => pixel.value),
    ),
  };
}

/** What nearly all reach, and the chosen pixel: the machine refuses a colour that fails its own cut-offs. */
function reached(chosen: number, all: readonly number[]): number {
  return Math.min(chosen, quantile(all, 1 - passed)) / 255;
}

/** From one hue to another the shorter way round, −180..180. */
function turnBetween(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
}

/** Whole numbers from the one to before the other, within a side of the picture; at least one. */
function range(from: number, to: number, length: number): readonly number[] {
  const first = Math.min(length - 1, Math.max(0, Math.floor(from)));
  const end = Math.min(length, Math.max(first + 1, Math.ceil(to)));
  return Array.from({ length: end - first }, (_, at) => first + at);
}
