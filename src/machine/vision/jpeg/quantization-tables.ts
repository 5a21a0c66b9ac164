import { bigEndian16 } from './byte-reader.ts';
import { damaged } from './jpeg-error.ts';

/** Four tables of 64 factors in zig-zag order; one that no file defines is all zeros. */
export type QuantizationTables = readonly Int32Array[];

export function emptyQuantizationTables(): QuantizationTables {
  return Array.from({ length: 4 }, () => new Int32Array(64));
}

/** Stores the tables of a DQT segment (ITU-T T.81 B.2.4.1). */
export function readQuantizationTables(segment: Uint8Array, tables: QuantizationTables): void {
  for (let at = 0; at < segment.length;) {
    const [precision, name] = [segment[at]! >> 4, segment[at]! & 15];
    at++;
    const table = tables[name];
    if (!table) throw damaged(`The JPEG defines quantization table ${name}; 3 is the last.`);
    if (precision > 1) throw damaged(`The JPEG defines a quantization table of precision ${precision}; 0 and 1 exist.`);
    const bytesEach = precision + 1;
    const left = segment.length - at;
    // A table name without factors at the very end is ignored, as by Go's image/jpeg.
    if (left === 0) return;
    if (left < 64 * bytesEach)
      throw damaged(`The JPEG has ${left} bytes for a quantization table of ${64 * bytesEach}.`);
    for (let i = 0; i < 64; i++, at += bytesEach) table[i] = precision === 0 ? segment[at]! : bigEndian16(segment, at);
  }
}
