import { createScanner } from 'jsonc-parser';

/**
 * Finds where a JSON text is nested too deeply. Readers of a tree recurse into it, so this is asked before they do.
 * @param text JSON, also with mistakes
 * @param depth how many brackets may be open
 * @returns offset of the first bracket beyond; null: there is none
 * @example
 * offsetBelow('[[1]]', 1); // => 1
 * offsetBelow('[[1]]', 2); // => null
 */
export function offsetBelow(text: string, depth: number): number | null {
  const scanner = createScanner(text, true);
  let open = 0;
  while ((scanner.scan(), scanner.getTokenOffset() < text.length)) {
    const first = text[scanner.getTokenOffset()]!;
    if ('{['.includes(first) && ++open > depth) return scanner.getTokenOffset();
    if ('}]'.includes(first)) open--;
  }
  return null;
}
