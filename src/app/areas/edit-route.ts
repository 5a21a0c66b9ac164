/** What stands behind a tab's name in the address while an image's boxes are edited: "/<id>/edit". */
export const editRest = (binaryDataId: string): string => `/${encodeURIComponent(binaryDataId)}/edit`;

/** The image of such an address; null where it is another. */
export function editedId(rest: string): string | null {
  const encoded = /^\/([^/?]+)\/edit$/.exec(rest)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // typed by hand, with a stray "%"
  }
}
