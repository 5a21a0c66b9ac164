/** The location in the Sequences tab: the list, one sequence, or an image of it in the box editor. */
export type SequenceRoute =
  | { readonly kind: 'list' }
  | { readonly kind: 'clip'; readonly id: string }
  | { readonly kind: 'edit'; readonly id: string; readonly imageId: string };

/** The part of the address after the tab's name. */
export function sequenceRest(place: SequenceRoute): string {
  if (place.kind === 'list') return '';
  const clip = `/${encodeURIComponent(place.id)}`;
  return place.kind === 'clip' ? clip : `${clip}/edit/${encodeURIComponent(place.imageId)}`;
}

/** Parses the part of the address after the tab's name. Anything unknown is the list. */
export function readSequenceRest(rest: string): SequenceRoute {
  const [, first, , second] = /^\/([^/?]+)(\/edit\/([^/?]+))?$/.exec(rest) ?? [];
  try {
    if (first === undefined) return { kind: 'list' };
    const id = decodeURIComponent(first);
    return second === undefined ? { kind: 'clip', id } : { kind: 'edit', id, imageId: decodeURIComponent(second) };
  } catch {
    return { kind: 'list' }; // typed by hand, with a stray "%"
  }
}
