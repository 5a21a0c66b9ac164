import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { diceOf, type Dice } from './dice.ts';

/** A colour detector and a picture. */
export interface ColorCase {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly frame: Frame;
}

/** What the machine holds of a picture: the name of its Go type, in lower case. */
export type PictureKind = 'nrgba' | 'rgba' | 'nrgba64' | 'ycbcr';

/** A random case; equal seeds and numbers give equal cases. */
export function colorCase(seed: number, number: number, kinds: readonly PictureKind[] = ['nrgba']): ColorCase {
  const dice = diceOf(seed, number);
  const picture = randomPicture(dice);
  return { frame: frameOf(picture, dice.pick(kinds), dice), attributes: randomAttributes(dice, picture) };
}

interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** red, green, blue of each pixel */
  readonly colors: readonly (readonly [number, number, number])[];
}

/** Few colours in specks or patches, so that groups form, or slow changes of hue with noise on them. */
export function randomPicture(dice: Dice): Picture {
  const side = () => (dice.chance(0.1) ? dice.whole(1, 3) : dice.whole(4, 40));
  const [widthPx, heightPx] = [side(), side()];
  const byte = () => dice.whole(0, 255);
  const palette = dice.list(dice.whole(2, 6), () => [byte(), byte(), byte()] as const);
  const kind = dice.pick(['specks', 'patches', 'slopes', 'noise'] as const);
  const patches = dice.list(dice.whole(1, 9), () => ({
    x: dice.whole(0, widthPx),
    y: dice.whole(0, heightPx),
    reach: dice.whole(0, 12),
    color: dice.pick(palette),
  }));
  const slope = dice.list(6, () => dice.decimal(-6, 6));
  const colors = dice.list(widthPx * heightPx, (at) => {
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    if (kind === 'noise') return [byte(), byte(), byte()] as const;
    if (kind === 'specks') return dice.pick(palette);
    if (kind === 'slopes')
      return [0, 1, 2].map((channel) =>
        bytewise(palette[0]![channel]! + slope[channel]! * x + slope[channel + 3]! * y + dice.whole(-2, 2)),
      ) as unknown as readonly [number, number, number];
    return patches.find((one) => Math.abs(one.x - x) + Math.abs(one.y - y) <= one.reach)?.color ?? palette[0]!;
  });
  return { widthPx, heightPx, colors };
}

const bytewise = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** Attributes of which the machine refuses about a fifth. */
export function randomAttributes(dice: Dice, { colors }: Pick<Picture, 'colors'>): Record<string, unknown> {
  const cutoff = () =>
    dice.chance(0.03)
      ? dice.pick([1, -0.1, 1.1])
      : dice.pick([0, 0.05, dice.decimal(0, 0.4), dice.whole(0, 120) / 255]);
  const optional = (key: string, make: () => unknown) => (dice.chance(0.6) ? { [key]: make() } : {});
  return {
    detect_color: dice.chance(0.97) ? hex(dice, dice.pick(colors)) : dice.pick(['', '#369', '336699', '#33 66 9', 7]),
    hue_tolerance_pct: dice.chance(0.04)
      ? dice.pick([0, -0.2, 1.5])
      : dice.pick([dice.decimal(0, 1), dice.decimal(0, 0.2), 0.001, 0.25, 0.5, 1, 1, 0.999, 1e-9]),
    ...optional('saturation_cutoff_pct', cutoff),
    ...optional('value_cutoff_pct', cutoff),
    ...(dice.chance(0.9) && { segment_size_px: dice.pick([1, 1, 1, 2, dice.whole(1, 40), -1, 0, 2.9]) }),
    ...optional('label', () => dice.pick(['', 'ball', ' '])),
  };
}

function hex(dice: Dice, color: readonly number[]): string {
  const digits = color.map((channel) => channel.toString(16).padStart(2, '0')).join('');
  return `#${dice.chance(0.3) ? digits.toUpperCase() : digits}${dice.chance(0.03) ? 'ff' : ''}`;
}

function frameOf({ widthPx, heightPx, colors }: Picture, kind: PictureKind, dice: Dice): Frame {
  const isClear = kind !== 'ycbcr' && dice.chance(0.3);
  const alphas = colors.map(() => (isClear ? dice.pick([255, 255, 0, 128, dice.whole(0, 255)]) : 255));
  const size = { widthPx, heightPx };
  const pixels = <T>(write: (color: readonly number[], at: number) => T) => colors.map(write).flat() as T[];
  if (kind === 'ycbcr')
    return { ...size, format: 'ycbcr8', samples: bytesOf(pixels((color) => [...color, 255]) as unknown as number[]) };
  if (kind === 'nrgba64') {
    const values = colors.flatMap((color, at) => [
      ...color.map((channel) => channel * 257 - dice.whole(0, Math.min(256, channel * 257))),
      alphas[at]! * 257,
    ]);
    return { ...size, format: 'rgba16', samples: Uint16Array.from(values) };
  }
  if (kind === 'rgba' && isClear) {
    const onBlack = colors.flatMap((color, at) => [
      ...color.map((channel) => Math.floor((channel * alphas[at]!) / 255)),
      255,
    ]);
    return { ...size, format: 'rgba8', samples: bytesOf(onBlack), alphaOnBlack: Uint8Array.from(alphas) };
  }
  return { ...size, format: 'rgba8', samples: bytesOf(colors.flatMap((color, at) => [...color, alphas[at]!])) };
}

const bytesOf = (values: readonly number[]) => Uint8ClampedArray.from(values);
