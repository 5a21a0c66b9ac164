import { bigEndian32 } from './chunks.ts';
import { damaged } from './png-error.ts';

/** What the pixels are: PNG's colour types 0, 2, 3, 4 and 6. */
export type PngColour = 'gray' | 'rgb' | 'palette' | 'gray-alpha' | 'rgb-alpha';

export interface PngHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly colour: PngColour;
  readonly bitDepth: number;
  readonly isInterlaced: boolean;
}

interface ColourType {
  readonly colour: PngColour;
  readonly bitDepths: readonly number[];
}

/** by number (PNG §11.2.1) */
const colourTypes: Readonly<Record<number, ColourType>> = {
  0: { colour: 'gray', bitDepths: [1, 2, 4, 8, 16] },
  2: { colour: 'rgb', bitDepths: [8, 16] },
  3: { colour: 'palette', bitDepths: [1, 2, 4, 8] },
  4: { colour: 'gray-alpha', bitDepths: [8, 16] },
  6: { colour: 'rgb-alpha', bitDepths: [8, 16] },
};

export const channelsOf: Readonly<Record<PngColour, number>> = {
  gray: 1,
  rgb: 3,
  palette: 1,
  'gray-alpha': 2,
  'rgb-alpha': 4,
};

/**
 * Reads the body of IHDR. The size is not checked against the available memory.
 * @throws PngError
 */
export function readHeader(body: Uint8Array): PngHeader {
  if (body.length !== 13) throw damaged(`The PNG has a header of ${body.length} bytes; 13 can be.`);
  const [bitDepth, colourType, compression, filter, interlace] = body.subarray(8);
  const known = colourTypes[colourType!];
  if (!known?.bitDepths.includes(bitDepth!)) {
    throw damaged(
      `The PNG says that it has colour type ${colourType} with ${bitDepth} bits a sample, which no PNG has.`,
    );
  }
  if (compression !== 0 || filter !== 0) {
    throw damaged(`The PNG has compression ${compression} and filter method ${filter}; 0 and 0 can be.`);
  }
  if (interlace! > 1) throw damaged(`The PNG is interlaced in way ${interlace}; 0 (not) and 1 can be.`);
  return {
    widthPx: bigEndian32(body, 0),
    heightPx: bigEndian32(body, 4),
    colour: known.colour,
    bitDepth: bitDepth!,
    isInterlaced: interlace === 1,
  };
}
