/**
 * Finds what a misspelt word most likely means: at most a third of its letters differ, or one word is the start of the other.
 * @param word without regard to case
 * @param candidates words that are known
 * @returns undefined: no candidate is near
 * @example
 * didYouMean('rotat', ['crop', 'rotate']); // => 'rotate'
 * didYouMean('blur', ['crop', 'rotate']); // => undefined
 */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const distance = isStart(wanted, other) || isStart(other, wanted) ? 1 : editDistance(wanted, other);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function suggestion(word: string | undefined): string {
  return word === undefined ? '' : ` Did you mean "${word}"?`;
}

function isStart(start: string, word: string): boolean {
  return start.length >= 3 && word.startsWith(start);
}

/** Levenshtein distance: insertions, deletions and replacements of single characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
