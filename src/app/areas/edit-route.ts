/** The end of the address while an image's boxes are edited: "/<id>/edit". */
export const editRest = (binaryDataId: string): string => `/${encodeURIComponent(binaryDataId)}/edit`;

/** The id of the image that an address edits; null: it edits none. */
export function editedId(rest: string): string | null {
  const encoded = /^\/([^/?]+)\/edit$/.exec(rest)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // typed by hand, with a stray "%"
  }
}
