import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { premultiplied } from '../../../../tests/oracle/premultiplied.ts';
import { seededPng } from '../../../../tests/seeded-pngs.ts';
import { decodePng } from './decode-png.ts';
import { PngError } from './png-error.ts';

/** What Go 1.25's image/png makes of the files; tests/pngs/README.md says how this was made. */
const golden = JSON.parse(
  readFileSync(new URL('../../../../tests/pngs/decoded.json', import.meta.url), 'utf8'),
) as readonly (string | null)[];

/** In the words of `decoded.json`. */
function decodedInWords(bytes: Uint8Array): string | null {
  try {
    const frame = decodePng(bytes, () => {});
    const hash = createHash('sha256').update(premultiplied(frame)).digest('hex').slice(0, 16);
    return `${frame.format}${frame.isDepth ? ' of depths' : ''} ${frame.widthPx}×${frame.heightPx} ${hash}`;
  } catch (error) {
    if (error instanceof PngError) return null;
    throw error;
  }
}

it('takes and refuses what Go 1.25 image/png does, with its samples', () => {
  const differing = golden.flatMap((expected, index) => {
    const { bytes, oddity } = seededPng(0, index);
    const decoded = decodedInWords(bytes);
    return decoded === expected ? [] : [{ index, oddity, expected, decoded }];
  });
  expect(differing).toEqual([]);
});
