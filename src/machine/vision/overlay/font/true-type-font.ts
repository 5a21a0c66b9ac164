import type { GlyphOutline, OutlineFont, OutlinePoint } from './outline-font.ts';

/**
 * Reads a TrueType font as far as Go Regular goes: simple glyphs, a cmap of format 4 by differences, no kerning.
 * Tables as in https://learn.microsoft.com/typography/opentype/spec. @throws Error if the bytes are another kind of font
 */
export function trueTypeFont(bytes: ArrayBuffer): OutlineFont {
  const tables = readTables(bytes);
  const table = (tag: string) => {
    const found = tables.get(tag);
    if (!found) throw new Error(`The font has no table "${tag}".`);
    return found;
  };
  const [head, hmtx, loca, glyf] = [table('head'), table('hmtx'), table('loca'), table('glyf')];
  const indexOf = characterMap(table('cmap'));
  const advances = table('hhea').getUint16(34);
  const longOffsets = head.getInt16(50) === 1;
  const offsetOf = (index: number) => (longOffsets ? loca.getUint32(4 * index) : 2 * loca.getUint16(2 * index));
  const known = new Map<number, GlyphOutline>();

  function read(index: number): GlyphOutline {
    const [start, end] = [offsetOf(index), offsetOf(index + 1)];
    return {
      index,
      // Glyphs beyond the last advance share it.
      advance: hmtx.getUint16(4 * Math.min(index, advances - 1)),
      contours: start === end ? [] : readContours(new DataView(glyf.buffer, glyf.byteOffset + start, end - start)),
    };
  }
  return {
    unitsPerEm: head.getUint16(18),
    bounds: { xMin: head.getInt16(36), yMin: head.getInt16(38), xMax: head.getInt16(40), yMax: head.getInt16(42) },
    glyph(character) {
      const index = indexOf(character.codePointAt(0)!);
      const glyph = known.get(index) ?? read(index);
      known.set(index, glyph);
      return glyph;
    },
  };
}

function readTables(bytes: ArrayBuffer): Map<string, DataView> {
  const file = new DataView(bytes);
  if (bytes.byteLength < 12 || file.getUint32(0) !== 0x00010000) throw new Error('The font is not a TrueType font.');
  const tables = new Map<string, DataView>();
  for (let entry = 12; entry < 12 + 16 * file.getUint16(4); entry += 16) {
    const tag = String.fromCharCode(...new Uint8Array(bytes, entry, 4));
    tables.set(tag, new DataView(bytes, file.getUint32(entry + 8), file.getUint32(entry + 12)));
  }
  return tables;
}

/** Character code to glyph index, 0 = missing, from the first Unicode subtable (platform 0). */
function characterMap(cmap: DataView): (code: number) => number {
  const entries = Array.from({ length: cmap.getUint16(2) }, (_, i) => 4 + 8 * i);
  const unicode = entries.find((entry) => cmap.getUint16(entry) === 0);
  const at = unicode === undefined ? -1 : cmap.getUint32(unicode + 4);
  if (at < 0 || cmap.getUint16(at) !== 4) throw new Error('The font has no Unicode character map of format 4.');
  const count = cmap.getUint16(at + 6) / 2;
  const [ends, starts] = [at + 14, at + 16 + 2 * count];
  const [deltas, rangeOffsets] = [starts + 2 * count, starts + 4 * count];
  for (let i = 0; i < count; i++) {
    if (cmap.getUint16(rangeOffsets + 2 * i) !== 0) throw new Error('The font maps characters by lists of glyphs.');
  }
  return (code) => {
    for (let i = 0; i < count; i++) {
      if (code > cmap.getUint16(ends + 2 * i)) continue;
      if (code < cmap.getUint16(starts + 2 * i)) return 0;
      return (code + cmap.getUint16(deltas + 2 * i)) & 0xffff;
    }
    return 0;
  };
}

/** Bits of a point's flag. */
const flag = { onCurve: 1, xByte: 2, yByte: 4, repeated: 8, xSameOrPositive: 16, ySameOrPositive: 32 };

function readContours(glyph: DataView): OutlinePoint[][] {
  const count = glyph.getInt16(0);
  if (count < 0) throw new Error('The font has glyphs made of other glyphs.');
  let at = 10;
  const ends = Array.from({ length: count }, (_, i) => glyph.getUint16(at + 2 * i) + 1);
  at += 2 * count;
  at += 2 + glyph.getUint16(at); // hinting instructions

  const points = ends.at(-1) ?? 0;
  const flags: number[] = [];
  while (flags.length < points) {
    const bits = glyph.getUint8(at++);
    flags.push(bits);
    if (bits & flag.repeated) for (let times = glyph.getUint8(at++); times > 0; times--) flags.push(bits);
  }
  const readAxis = (asByte: number, sameOrPositive: number) => {
    let position = 0;
    return flags.map((bits) => {
      if (bits & asByte) position += bits & sameOrPositive ? glyph.getUint8(at++) : -glyph.getUint8(at++);
      else if (!(bits & sameOrPositive)) {
        position += glyph.getInt16(at);
        at += 2;
      }
      return position;
    });
  };
  const xs = readAxis(flag.xByte, flag.xSameOrPositive);
  const ys = readAxis(flag.yByte, flag.ySameOrPositive);
  const all = flags.map((bits, i) => ({ x: xs[i]!, y: ys[i]!, onCurve: (bits & flag.onCurve) !== 0 }));
  return ends.map((end, i) => all.slice(ends[i - 1] ?? 0, end));
}
