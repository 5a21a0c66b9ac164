/** The machine compares labels without regard to case, so "Cat" and "cat" are one row: the first one. */
export function onceEach(labels: readonly string[]): readonly string[] {
  const met = new Set<string>();
  return labels.filter((label) => met.size < met.add(label.toLowerCase()).size);
}

/** Returns a test whether a label is one of these, ignoring case. */
export function isOneOf(labels: readonly string[]): (label: string) => boolean {
  const lower = new Set(labels.map((label) => label.toLowerCase()));
  return (label) => lower.has(label.toLowerCase());
}

/** Labels that are not among the excluded ones, without regard to case. */
export function without(labels: readonly string[], excluded: readonly string[]): readonly string[] {
  const isExcluded = isOneOf(excluded);
  return labels.filter((label) => !isExcluded(label));
}
