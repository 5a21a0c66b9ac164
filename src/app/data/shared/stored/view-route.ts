/** What stands behind the tab's name while one file is looked at: "/<id>", and the list's filter behind it. */
export const viewRest = (binaryDataId: string): string => `/${encodeURIComponent(binaryDataId)}`;

/** The file of such an address; null where it is another. */
export function viewedId(rest: string): string | null {
  const encoded = /^\/([^/?]+)(?:\?.*)?$/.exec(rest)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // typed by hand, with a stray "%"
  }
}
