import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../tests/decoded-jpeg.ts';
import { randomSource } from '../../../../tests/random-frame.ts';
import type { Frame } from '../frame/frame.ts';
import { toRgba8 } from '../frame/frame-formats.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { JpegError } from './jpeg-error.ts';

const folder = new URL('../../../../tests/jpegs/', import.meta.url);

const file = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));

/** What Go 1.25's image/jpeg makes of the files; tests/jpegs/README.md says how this was made. */
const golden = JSON.parse(readFileSync(new URL('decoded.json', folder), 'utf8')) as {
  readonly whole: Readonly<Record<string, { readonly format: Frame['format']; readonly sha256: string }>>;
  /** null: refused */
  readonly damaged: readonly (readonly [name: string, change: Change, sha256: string | null])[];
};

type Change = { readonly cutTo: number } | { readonly set: readonly (readonly [at: number, byte: number])[] };

/** The digest of 8-bit samples; a picture of inks has 16-bit ones, whose high bytes Go's 8-bit colours are. */
const sha256 = (frame: Frame) => {
  const { samples } = frame.format === 'rgba16' ? toRgba8(frame) : frame;
  return createHash('sha256').update(samples).digest('hex');
};

function decodedOrNull(bytes: Uint8Array): Frame | null {
  try {
    return decoded(bytes);
  } catch (error) {
    if (error instanceof JpegError) return null;
    throw error;
  }
}

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if ('cutTo' in change) return bytes.subarray(0, change.cutTo);
  const copy = bytes.slice();
  for (const [at, byte] of change.set) copy[at] = byte;
  return copy;
}

describe('as Go decodes', () => {
  it.each(Object.entries(golden.whole))(
    'gives the samples of Go 1.25 image/jpeg for %s',
    (name, { format, sha256: hash }) => {
      const frame = decoded(file(name));
      expect(frame).toMatchObject({ format, widthPx: 35, heightPx: 27 });
      expect(sha256(frame)).toBe(hash);
    },
  );

  it.each(golden.damaged)('takes or refuses what Go 1.25 does: %s, %o', (name, change, hash) => {
    const frame = decodedOrNull(changed(file(name), change));
    expect(frame && sha256(frame)).toBe(hash);
  });

  it('gives a frame or a JpegError for any damage', () => {
    const random = randomSource(5);
    const below = (limit: number) => Math.floor(random() * limit);
    let taken = 0;
    for (const name of Object.keys(golden.whole)) {
      const whole = file(name);
      for (let round = 0; round < 40; round++) {
        const set = Array.from({ length: 1 + below(4) }, () => [below(whole.length), below(256)] as const);
        const bytes = changed(whole, { set }).subarray(0, round % 4 === 0 ? below(whole.length) : whole.length);
        const frame = decodedOrNull(limited(bytes));
        if (!frame) continue;
        taken++;
        expect(frame.samples).toHaveLength(4 * frame.widthPx * frame.heightPx);
      }
    }
    expect(taken).toBeGreaterThan(100);
  });
});

/** A damaged size may be any: these tests need no gigabytes. */
function limited(bytes: Uint8Array): Uint8Array {
  try {
    decodeJpeg(bytes, (widthPx, heightPx) => {
      if (widthPx * heightPx > 1e6) throw new RangeError('large');
    });
    return bytes;
  } catch (error) {
    return error instanceof RangeError ? bytes.subarray(0, 2) : bytes;
  }
}
