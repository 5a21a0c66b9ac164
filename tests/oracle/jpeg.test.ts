import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageDecodeError } from '../../src/platform/decode/image-decode-error.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import { adobe, ascii, flatJpeg, jfif, type FlatComponent } from '../flat-jpeg.ts';
import { randomSource } from '../random-frame.ts';
import { hasOracle, openOracle, type Oracle, type OracleFrame } from './oracle.ts';

const photographs = fileURLToPath(new URL('../../../shared/data/images/', import.meta.url));
const samples = fileURLToPath(new URL('../../assets/photographs/', import.meta.url));
const small = fileURLToPath(new URL('../jpegs/', import.meta.url));
/** Files with more pixels are skipped: a damaged header can claim any size, and decoding it only takes time. */
const mostPixels = 1_000_000;

const read = (path: string) => new Uint8Array(readFileSync(path));

function decodedOrNull(bytes: Uint8Array): Frame | null {
  try {
    return decodeStill(bytes);
  } catch (error) {
    if (error instanceof ImageDecodeError) return null;
    throw error;
  }
}

/** 'equal' or 'both refuse', otherwise the difference. */
async function comparison(bytes: Uint8Array, theirs: OracleFrame): Promise<string> {
  // The machine accepts pictures without pixels, Sightglass does not.
  if (theirs.error === null && theirs.widthPx * theirs.heightPx === 0) return 'empty there';
  if (theirs.widthPx * theirs.heightPx > mostPixels) return 'large';
  const ours = decodedOrNull(bytes);
  if (ours === null || theirs.error !== null) {
    return ours === null && theirs.error !== null ? 'both refuse' : `there ${theirs.error ?? 'taken'}, here not so`;
  }
  const samplesThere = await theirs.pixels();
  const { samples } = ours.format === 'rgba16' ? toRgba8(ours) : ours;
  if (samplesThere.length !== samples.length) return `${samplesThere.length} bytes there, ${samples.length} here`;
  const differing = samplesThere.reduce((sum, sample, i) => sum + (sample === samples[i] ? 0 : 1), 0);
  return differing === 0 ? 'equal' : `${differing} samples differ`;
}

describe.skipIf(!hasOracle)('JPEG as the machine decodes it (skipped without ../shared/machine-oracle)', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ patienceMs: 60_000 });
  });
  afterAll(() => oracle.close());

  async function compare(files: readonly Uint8Array[]): Promise<string[]> {
    const [answer] = await oracle.ask([{ op: 'decode', frames: files, wantsPixels: true }]);
    return Promise.all(files.map((bytes, i) => comparison(bytes, answer!.frames[i]!)));
  }

  it('gives the same samples for the photographs', { timeout: 120_000 }, async () => {
    const files = [samples, ...(existsSync(photographs) ? [photographs] : [])].flatMap((folder) =>
      globSync(`${folder}**/*.{jpg,JPEG}`),
    );
    const answers = await oracle.ask(files.map((path) => ({ op: 'decode', frames: [path], wantsPixels: true })));
    for (const [i, path] of files.entries()) {
      const theirs = await answers[i]!.frames[0]!.pixels();
      const ours = new Uint8Array(decodedOrNull(read(path))!.samples.buffer);
      expect(Buffer.compare(theirs, ours), path).toBe(0);
    }
  });

  it('gives the same samples for every kind of colour and sampling', async () => {
    const gradient = (from: number) => (column: number, row: number) => (from + 37 * column + 23 * row) % 256;
    const components = (factors: readonly (readonly [number, number])[], ids = [1, 2, 3, 4]): FlatComponent[] =>
      factors.map(([blocksWide, blocksHigh], k) => ({ id: ids[k]!, blocksWide, blocksHigh, level: gradient(50 * k) }));
    const size = { widthPx: 53, heightPx: 37 };
    const one = [1, 1] as const;
    const luma = [one, [2, 1], [1, 2], [2, 2], [4, 1], [4, 2]] as const;
    const files = [
      ...luma.map((factors) => flatJpeg({ ...size, components: components([factors, one, one]) })),
      ...luma.map((factors) => flatJpeg({ ...size, components: components([factors, one, one]), restartInterval: 2 })),
      flatJpeg({ ...size, components: components([[2, 2]]) }),
      flatJpeg({ ...size, components: components([one, one, one], ascii('RGB')) }),
      flatJpeg({ ...size, components: components([one, one, one], ascii('RGB')), segments: [jfif] }),
      flatJpeg({ ...size, components: components([[2, 2], one, one]), segments: [adobe(0)] }),
      ...[0, 1, 2].flatMap((transform) => {
        const segments = [adobe(transform)];
        return [
          flatJpeg({ ...size, components: components([one, one, one, one]), segments }),
          flatJpeg({ ...size, components: components([[2, 2], one, one, [2, 2]]), segments }),
        ];
      }),
    ];
    expect(await compare(files)).toEqual(files.map(() => 'equal'));
  });

  it.each([1, 2, 3])('takes and refuses the same damaged files, with the same samples (seed %i)', async (seed) => {
    const random = randomSource(seed);
    const files = readdirSync(small)
      .filter((name) => name.endsWith('.jpg'))
      .flatMap((name) => Array.from({ length: 40 }, () => damaged(read(small + name), random)));
    const outcomes = await compare(files);
    const unexplained = outcomes.filter(
      (outcome) => !['equal', 'both refuse', 'empty there', 'large'].includes(outcome),
    );
    expect(unexplained).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'equal').length).toBeGreaterThan(50);
    expect(outcomes.filter((outcome) => outcome === 'both refuse').length).toBeGreaterThan(50);
  });
});

/** A random damage: truncated, with flipped bits, or with bytes changed, removed or inserted. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number) => Math.floor(random() * limit);
  const at = below(bytes.length);
  const copy = bytes.slice();
  switch (below(5)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      copy[at]! ^= 1 << below(8);
      return copy;
    case 2:
      copy[at] = below(256);
      copy[below(bytes.length)] = below(256);
      return copy;
    case 3:
      return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at + 1 + below(6))]);
    default: {
      const telling = [0xff, 0x00, 0xd0, 0xd1, 0xd9, 0xda];
      const fresh = Array.from({ length: 1 + below(4) }, () => (random() < 0.5 ? telling[below(6)]! : below(256)));
      return Uint8Array.from([...copy.subarray(0, at), ...fresh, ...copy.subarray(at)]);
    }
  }
}
