import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { trueTypeFont } from './true-type-font.ts';

const file = readFileSync(new URL('../../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const bytes = () => new Uint8Array(file).buffer;
const font = trueTypeFont(bytes());

/** The font file with the bytes that `tag` names in its directory of tables changed. */
function changed(tag: string, change: (table: DataView, entry: DataView) => void): ArrayBuffer {
  const copy = bytes();
  const at = file.indexOf(tag, 12, 'latin1');
  const entry = new DataView(copy, at, 16);
  change(new DataView(copy, entry.getUint32(8), entry.getUint32(12)), entry);
  return copy;
}

describe('trueTypeFont', () => {
  it('reads the size and the bounds of Go Regular', () => {
    expect(font.unitsPerEm).toBe(2048);
    expect(font.bounds).toEqual({ xMin: -440, yMin: -543, xMax: 2160, yMax: 2291 });
  });

  it.each([
    ['A', 36, 1366, [8, 3]],
    ['i', 76, 505, [4, 4]],
    ['é', 171, 1139, [5, 17, 4]],
    [' ', 3, 569, []],
    ['日', 0, 1536, [4, 4]], // the missing glyph
    ['👀', 0, 1536, [4, 4]],
    ['\ufffe', 0, 1536, [4, 4]],
  ])('finds the glyph of "%s": %i, %i wide', (character, index, advance, pointCounts) => {
    const glyph = font.glyph(character);
    expect([glyph.index, glyph.advance, glyph.contours.map(({ length }) => length)]).toEqual([
      index,
      advance,
      pointCounts,
    ]);
  });

  it('reads points on and off the curve', () => {
    expect(font.glyph('o').contours[0]!.slice(0, 4)).toEqual([
      { x: 562, y: -25, onCurve: true },
      { x: 343, y: -25, onCurve: false },
      { x: 86, y: 283, onCurve: false },
      { x: 86, y: 543, onCurve: true },
    ]);
  });

  it('finds glyphs by long offsets as by short ones', () => {
    const long = trueTypeFont(withLongOffsets());
    for (const character of 'Ai é日') expect(long.glyph(character)).toEqual(font.glyph(character));
  });

  it('gives glyphs past the last advance that one', () => {
    const oneAdvance = trueTypeFont(changed('hhea', (table) => table.setUint16(34, 1)));
    expect(oneAdvance.glyph('i')).toMatchObject({ index: 76, advance: 1536 });
  });

  it.each<[string, ArrayBuffer]>([
    ['The font is not a TrueType font.', new ArrayBuffer(0)],
    ['The font is not a TrueType font.', new TextEncoder().encode('<!doctype html>').buffer],
    ['The font has no table "glyf".', changed('glyf', (_, entry) => entry.setUint8(0, 0x78))],
    ['The font has no Unicode character map of format 4.', changed('cmap', (table) => table.setUint16(2, 0))],
    ['The font has no Unicode character map of format 4.', changed('cmap', allFormatsTo12)],
    ['The font has no Unicode character map of format 4.', changed('cmap', (table) => table.setUint16(4, 1))],
    ['The font maps characters by lists of glyphs.', changed('cmap', listsOfGlyphs)],
  ])('refuses other bytes: %s', (message, other) => {
    expect(() => trueTypeFont(other)).toThrow(message);
  });

  it('refuses a glyph made of others', () => {
    const composite = trueTypeFont(changed('glyf', (table) => table.setInt16(0, -1)));
    expect(() => composite.glyph('日')).toThrow('The font has glyphs made of other glyphs.');
  });
});

function allFormatsTo12(cmap: DataView): void {
  for (let entry = 4; entry < 4 + 8 * cmap.getUint16(2); entry += 8) cmap.setUint16(cmap.getUint32(entry + 4), 12);
}

function listsOfGlyphs(cmap: DataView): void {
  const at = cmap.getUint32(8);
  cmap.setUint16(at + 16 + 3 * cmap.getUint16(at + 6), 2);
}

/** The font file with a table of glyphs' places in whole bytes, four bytes each, behind everything else. */
function withLongOffsets(): ArrayBuffer {
  const whole = new Uint8Array(file.length + 2 ** 16);
  whole.set(file);
  const entryOf = (tag: string) => new DataView(whole.buffer, file.indexOf(tag, 12, 'latin1'), 16);
  const [head, loca] = [entryOf('head'), entryOf('loca')];
  new DataView(whole.buffer).setInt16(head.getUint32(8) + 50, 1);
  const short = new DataView(whole.buffer, loca.getUint32(8), loca.getUint32(12));
  const long = new DataView(whole.buffer, file.length);
  for (let i = 0; i < short.byteLength / 2; i++) long.setUint32(4 * i, 2 * short.getUint16(2 * i));
  loca.setUint32(8, file.length);
  loca.setUint32(12, 2 * short.byteLength);
  return whole.buffer;
}
