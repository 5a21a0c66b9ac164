import { deflateSync } from 'node:zlib';
import { readdirSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { encode } from 'fast-png';
import { headerChunk, lastChunk, pngOf } from '../../png-chunks.ts';
import { randomSource } from '../../random-frame.ts';
import type { Dice } from './dice.ts';

/** A picture as data: how to generate it, or its path from the repository's root. */
export type FrameRecipe =
  | { readonly png: PngColour; readonly bits: 8 | 16; readonly size: readonly [number, number]; readonly seed: number }
  /** `keep`: the fraction of the file's bytes to keep; absent = all */
  | { readonly file: string; readonly keep?: number }
  | { readonly bytes: readonly number[] };

const channelsOf = { gray: 1, 'gray alpha': 2, rgb: 3, rgba: 4, palette: 1 } as const;
type PngColour = keyof typeof channelsOf;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Available JPEG files: photographs, and the repository's files of rare kinds. */
const jpegs: readonly string[] = [
  ['../shared/data/images/coco', 4],
  ['../shared/data/images/imagenet', 6],
  ['tests/jpegs', 100],
].flatMap(([folder, count]) => {
  if (!existsSync(`${root}${folder}`)) return [];
  const files = readdirSync(`${root}${folder}`).filter((name) => /\.jpe?g$/i.test(name));
  return files.slice(0, count as number).map((name) => `${folder}/${name}`);
});

export function randomFrame(dice: Dice): FrameRecipe {
  if (jpegs.length > 0 && dice.chance(0.12)) return randomJpeg(dice);
  return randomPng(dice);
}

/** A random JPEG file, complete or truncated. */
export function randomJpeg(dice: Dice): FrameRecipe {
  const file = dice.pick(jpegs);
  return dice.chance(0.15) ? { file, keep: dice.decimal(0.01, 0.99) } : { file };
}

export function randomPng(dice: Dice, most = 48): FrameRecipe {
  const png = dice.pick(['rgb', 'rgb', 'rgba', 'rgba', 'gray', 'gray alpha', 'palette'] as const);
  const side = () => (dice.chance(0.2) ? dice.whole(1, 3) : dice.whole(1, most));
  // No 16-bit grey PNGs: the machine reads them as depth pictures, which Sightglass refuses (see departures.ts).
  const bits = png === 'gray' || png === 'palette' || dice.chance(0.7) ? 8 : 16;
  return { png, bits, size: [side(), side()], seed: dice.whole(0, 1e9) };
}

/** The bytes of the file. */
export async function frameBytes(recipe: FrameRecipe): Promise<Uint8Array> {
  if ('bytes' in recipe) return Uint8Array.from(recipe.bytes);
  if ('file' in recipe) {
    const bytes = new Uint8Array(await readFile(`${root}${recipe.file}`));
    return bytes.subarray(0, Math.ceil(bytes.length * (recipe.keep ?? 1)));
  }
  return recipe.png === 'palette' ? palettePng(recipe) : plainPng(recipe);
}

type PngRecipe = Extract<FrameRecipe, { readonly png: PngColour }>;

function plainPng({ png, bits, size: [width, height], seed }: PngRecipe): Uint8Array {
  const channels = channelsOf[png];
  const values = samples(seed, width * height * channels, bits);
  const data = bits === 16 ? Uint16Array.from(values) : Uint8Array.from(values);
  return encode({ width, height, data, channels, depth: bits });
}

/** Indices into 16 colours, the first four of them partly transparent. */
function palettePng({ size: [width, height], seed }: PngRecipe): Uint8Array {
  const [colours, alphas] = [samples(seed, 48, 8), samples(seed + 1, 4, 8)];
  const indices = samples(seed + 2, width * height, 8).map((index) => index & 15);
  const rows = Array.from({ length: height }, (_, y) => [0, ...indices.slice(y * width, (y + 1) * width)]);
  return pngOf([
    headerChunk({ widthPx: width, heightPx: height, bitDepth: 8, colourType: 3 }),
    ['PLTE', Uint8Array.from(colours)],
    ['tRNS', Uint8Array.from(alphas)],
    ['IDAT', deflateSync(Uint8Array.from(rows.flat()))],
    lastChunk,
  ]);
}

/** Noise with many samples at the ends of the range, where rounding errors are most likely. */
function samples(seed: number, count: number, bits: 8 | 16): number[] {
  const random = randomSource(seed);
  const most = 2 ** bits - 1;
  return Array.from({ length: count }, () => {
    const extreme = random();
    return extreme < 0.1 ? 0 : extreme < 0.2 ? most : Math.floor(random() * (most + 1));
  });
}
