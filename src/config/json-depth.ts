import { createScanner } from 'jsonc-parser';

/**
 * Where the first bracket of a JSON text opens that stands in more than `depth` others; null: none does. Whatever reads
 * a tree goes down into it by recursion, so that this is asked before.
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
