import { damaged } from './png-error.ts';
import type { PngHeader } from './header.ts';

/** What PLTE and tRNS say of colours. */
export interface PngColours {
  /** red, green, blue and alpha of 256 colours; opaque black past those that PLTE and tRNS name */
  readonly palette: Uint8Array | null;
  /** the samples, 0..65535, of the one transparent colour in a picture of gray or true colour; null: there is none */
  readonly transparent: readonly number[] | null;
}

/**
 * Reads PLTE. In a true-colour picture it is only a suggestion: it is checked, and not used.
 * @throws PngError
 */
export function readPalette(body: Uint8Array, { colour, bitDepth }: PngHeader): Uint8Array {
  const count = body.length / 3;
  if (!Number.isInteger(count) || count < 1 || count > Math.min(256, 2 ** bitDepth)) {
    throw damaged(
      `The PNG has a palette of ${body.length} bytes; three for each of 1 to ${Math.min(256, 2 ** bitDepth)} colours can be.`,
    );
  }
  if (colour === 'gray' || colour === 'gray-alpha')
    throw damaged('The PNG is gray and has a palette, which no gray PNG has.');
  const palette = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) {
    if (i < count) palette.set(body.subarray(3 * i, 3 * i + 3), 4 * i);
    palette[4 * i + 3] = 255;
  }
  return palette;
}

/** Reads tRNS. @throws PngError */
export function readTransparency(body: Uint8Array, { colour }: PngHeader, palette: Uint8Array | null): PngColours {
  if (colour === 'gray-alpha' || colour === 'rgb-alpha') {
    throw damaged('The PNG has an alpha for each pixel and one transparent colour besides, which no PNG has.');
  }
  if (colour === 'palette') {
    if (body.length > 256) throw damaged(`The PNG has ${body.length} alphas for a palette; 256 can be.`);
    const withAlpha = palette!.slice();
    for (const [i, alpha] of body.entries()) withAlpha[4 * i + 3] = alpha;
    return { palette: withAlpha, transparent: null };
  }
  const expected = colour === 'gray' ? 2 : 6;
  if (body.length !== expected) {
    throw damaged(`The PNG says its transparent colour in ${body.length} bytes; ${expected} can be.`);
  }
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return { palette, transparent: Array.from({ length: expected / 2 }, (_, i) => view.getUint16(2 * i)) };
}
