/** The address of a page of the documentation, and of a section of it, relative to the app. */
export function docsAddress(page: string, section = ''): string {
  return `docs/${page}.html${section && `#${section}`}`;
}
