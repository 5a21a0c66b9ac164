/**
 * Gives equal label tables one identity. Every frame that crosses a worker boundary brings its own copy of the table;
 * interned, thousands of frames share one table and one list of thresholds.
 * @returns a function that gives back the first of all equal tables that it was called with
 * @example
 * const intern = labelInterner();
 * const table = ['cat', 'dog'];
 * intern(table) === table; // => true
 * intern(['cat', 'dog']) === table; // => true
 */
export function labelInterner(): (labels: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (labels) => {
    const key = JSON.stringify(labels);
    const same = known.get(key);
    if (same) return same;
    known.set(key, labels);
    return labels;
  };
}
