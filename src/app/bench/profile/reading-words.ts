/** How live frames are read, in words: as planes, or as colours with the reason. */
export function readingWords(whyColours: string): string {
  return whyColours === ''
    ? 'The camera’s planes (Y, U, V) are read as they came. Colours are computed from them here, equal to the browser’s own to the bit.'
    : `The browser makes colours of every frame, which takes longer than to read its planes, because ${whyColours}.`;
}
