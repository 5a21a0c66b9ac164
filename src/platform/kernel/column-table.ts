import { triangleWindows, weightSumLimit, type TriangleWindow } from './weight-table.ts';

/** How the kernel stretches columns: 1 to half of them, 2 windows near each other, 3 any. In that order the faster. */
export type ColumnKind = 1 | 2 | 3;

/** The columns of a stretch as assembly/stretch-row.ts reads them: an entry for every four, see there. */
export interface ColumnTable {
  readonly kind: ColumnKind;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** taps of a window: for near windows counted in pairs, for far ones in groups of eight */
  readonly taps: number;
}

const headBytes = 48;
/** Bytes that one load holds. */
const nearReach = 16;

/** Encodes the reference's columns, filled up to `paddedWidth` with the last one. @returns null where a sum of weights reaches weightSumLimit */
export function encodeColumns(sourceLength: number, length: number, paddedWidth: number): ColumnTable | null {
  if (sourceLength === 2 * length) return { kind: 1, bytes: new Uint8Array(0), taps: 0 };
  const windows = triangleWindows(sourceLength, length);
  if (windows.some(({ sum }) => sum >= weightSumLimit)) return null;
  const fours = Array.from({ length: paddedWidth / 4 }, (_, four) =>
    [0, 1, 2, 3].map((k) => windows[Math.min(4 * four + k, length - 1)]!),
  );
  const longest = windows.reduce((most, { weights }) => Math.max(most, weights.length), 1);
  return fours.every((four) => reachOf(four) <= nearReach)
    ? encodeNear(fours, Math.ceil(longest / 2))
    : encodeFar(fours, Math.ceil(longest / 8));
}

const startOf = (four: readonly TriangleWindow[]) => Math.min(...four.map(({ start }) => start));
const reachOf = (four: readonly TriangleWindow[]) =>
  Math.max(...four.map(({ start, weights }) => start + weights.length)) - startOf(four);

function encodeNear(fours: readonly (readonly TriangleWindow[])[], pairs: number): ColumnTable {
  const entryBytes = headBytes + 32 * pairs;
  const bytes = new Uint8Array(fours.length * entryBytes);
  const view = new DataView(bytes.buffer);
  fours.forEach((four, at) => {
    const entry = at * entryBytes;
    const first = startOf(four);
    view.setInt32(entry, first, true);
    four.forEach(({ start, weights }, k) => {
      for (let tap = 0; tap < 2 * pairs; tap++) {
        const pair = entry + headBytes + 32 * (tap >> 1) + 4 * k + 2 * (tap & 1);
        const isWeighed = tap < weights.length;
        // 255 picks no byte, which is 0; the upper byte of each i16 is none either.
        view.setUint16(pair, 0xff00 | (isWeighed ? start - first + tap : 0xff), true);
        view.setInt16(pair + 16, isWeighed ? 2 * weights[tap]! : 0, true);
      }
    });
    writeSums(view, entry, four);
  });
  return { kind: 2, bytes, taps: pairs };
}

function encodeFar(fours: readonly (readonly TriangleWindow[])[], groups: number): ColumnTable {
  const entryBytes = headBytes + 64 * groups;
  const bytes = new Uint8Array(fours.length * entryBytes);
  const view = new DataView(bytes.buffer);
  fours.forEach((four, at) => {
    const entry = at * entryBytes;
    four.forEach(({ start, weights }, k) => {
      view.setInt32(entry + 4 * k, start, true);
      const first = entry + headBytes + 16 * groups * k;
      weights.forEach((weight, tap) => view.setInt16(first + 2 * farPlace(tap, groups), 2 * weight, true));
    });
    writeSums(view, entry, four);
  });
  return { kind: 3, bytes, taps: groups };
}

/** Place of a tap: of sixteen the even ones come first, as the kernel takes their bytes apart so; eight that are left over stay in order. */
function farPlace(tap: number, groups: number): number {
  const inSixteen = tap % 16;
  return tap < 16 * (groups >> 1) ? tap - inSixteen + 8 * (inSixteen & 1) + (inSixteen >> 1) : tap;
}

function writeSums(view: DataView, entry: number, four: readonly TriangleWindow[]): void {
  four.forEach(({ sum }, k) => {
    view.setInt32(entry + 16 + 4 * k, 1 - sum, true);
    view.setFloat32(entry + 32 + 4 * k, 1 / (2 * sum), true);
  });
}
