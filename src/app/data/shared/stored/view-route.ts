/** The address behind the tab's name while one file is shown: "/<id>", followed by the list's filter. */
export const viewRest = (binaryDataId: string): string => `/${encodeURIComponent(binaryDataId)}`;

/** The file id in such an address; null if there is none. */
export function viewedId(rest: string): string | null {
  const encoded = /^\/([^/?]+)(?:\?.*)?$/.exec(rest)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // typed by hand, with a stray "%"
  }
}
