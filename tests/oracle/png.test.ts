import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageDecodeError } from '../../src/platform/decode/image-decode-error.ts';
import { decodePng } from '../../src/platform/decode/png.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { seededPng, type SeededPng } from '../seeded-pngs.ts';
import { hasOracle, openOracle, type Oracle, type OracleFrame } from './oracle.ts';
import { premultiplied } from './premultiplied.ts';

/** Number of compared files of a seed. */
const fileCount = 900;

/** The pixel format here for each Go type of picture. */
const formats: Readonly<Record<string, string>> = {
  '*image.Gray': 'rgba8',
  '*image.RGBA': 'rgba8',
  '*image.NRGBA': 'rgba8',
  '*image.Paletted': 'rgba16',
  '*image.RGBA64': 'rgba16',
  '*image.NRGBA64': 'rgba16',
  '*image.Gray16': 'rgba16 of depths',
};

describe.skipIf(!hasOracle)('PNG as the machine decodes it (skipped without ../shared/machine-oracle)', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ patienceMs: 60_000 });
  });
  afterAll(() => oracle.close());

  it.each([1, 2])(
    'takes and refuses the same files, with the same samples (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const files = Array.from({ length: fileCount }, (_, index) => seededPng(seed, index));
      const [answer] = await oracle.ask([{ op: 'decode', frames: files.map(({ bytes }) => bytes), wantsPixels: true }]);
      const outcomes = await Promise.all(files.map((file, i) => comparison(file, answer!.frames[i]!)));
      const unexplained = outcomes
        .map((outcome, index) => `file ${index} (${files[index]!.oddity}): ${outcome}`)
        .filter((_, index) => !['equal', 'both refuse', 'above the limit here'].includes(outcomes[index]!));
      expect(unexplained).toEqual([]);
      for (const outcome of ['equal', 'both refuse']) {
        expect(outcomes.filter((other) => other === outcome).length, outcome).toBeGreaterThan(fileCount / 5);
      }
    },
  );
});

/** 'equal' or 'both refuse', otherwise the difference. */
async function comparison({ bytes }: SeededPng, theirs: OracleFrame): Promise<string> {
  const ours = decodedOrError(bytes);
  if (ours instanceof ImageDecodeError) {
    if (theirs.error !== null) return 'both refuse';
    return ours.code === 'too-large' ? 'above the limit here' : `taken there, here: ${ours.message}`;
  }
  if (theirs.error !== null) return `taken here, there: ${theirs.error}`;
  const format = 'isDepth' in ours ? `${ours.format} of depths` : ours.format;
  if (formats[theirs.kind!] !== format) return `${theirs.kind} there, ${format} here`;
  if (theirs.widthPx !== ours.widthPx || theirs.heightPx !== ours.heightPx) return 'another size';
  return Buffer.compare(await theirs.pixels(), premultiplied(ours)) === 0 ? 'equal' : 'other samples';
}

function decodedOrError(bytes: Uint8Array): Frame | ImageDecodeError {
  try {
    return decodePng(bytes);
  } catch (error) {
    if (error instanceof ImageDecodeError) return error;
    throw error;
  }
}
