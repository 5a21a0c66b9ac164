/** A box of a file in the ISO base media file format (ISO/IEC 14496-12, 4.2): its name, and where its content lies. */
export interface Box {
  readonly type: string;
  /** offset of the first byte after the box's header */
  readonly start: number;
  readonly end: number;
}

/** A header that may hold a 64-bit size. */
export const largestHeaderBytes = 16;

/**
 * Reads the header of a box. null: there are too few bytes for one, or its size is impossible.
 * @param at where the header begins in `view`
 * @param end of what holds the box, in the same count: a box of size 0 lasts until there
 */
export function boxAt(view: DataView, at: number, end: number): Box | null {
  if (at + 8 > Math.min(end, view.byteLength)) return null;
  const short = view.getUint32(at);
  const isLong = short === 1;
  if (isLong && at + largestHeaderBytes > view.byteLength) return null;
  const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
  const headerBytes = isLong ? largestHeaderBytes : 8;
  if (size < headerBytes || at + size > end) return null;
  return { type: fourLetters(view, at + 4), start: at + headerBytes, end: at + size };
}

/** The boxes between two places, in their order. What is damaged ends them. */
export function* boxesIn(view: DataView, { start, end }: Pick<Box, 'start' | 'end'>): Generator<Box> {
  for (let at = start, box = boxAt(view, at, end); box; at = box.end, box = boxAt(view, at, end)) yield box;
}

/** The first box of those between two places that is wanted. */
export function firstBox(
  view: DataView,
  within: Pick<Box, 'start' | 'end'>,
  isWanted: (box: Box) => boolean,
): Box | null {
  for (const box of boxesIn(view, within)) if (isWanted(box)) return box;
  return null;
}

/** The first box on a path of names inside another one. */
export function boxOn(view: DataView, within: Pick<Box, 'start' | 'end'>, ...path: readonly string[]): Box | null {
  let place: Pick<Box, 'start' | 'end'> = within;
  for (const type of path) {
    const next = firstBox(view, place, (box) => box.type === type);
    if (!next) return null;
    place = next;
  }
  return place as Box;
}

export const fourLetters = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** Version and flags, with which a full box begins. */
export const versionOf = (view: DataView, { start }: Box): number => view.getUint8(start);
export const flagsOf = (view: DataView, { start }: Box): number => view.getUint32(start) & 0xffffff;
