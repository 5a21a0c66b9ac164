/** The machine compares labels without regard to case, so "Cat" and "cat" are one row: the first one. */
export function onceEach(labels: readonly string[]): readonly string[] {
  const met = new Set<string>();
  return labels.filter((label) => met.size < met.add(label.toLowerCase()).size);
}

/** Labels that are not among the excluded ones, without regard to case. */
export function without(labels: readonly string[], excluded: readonly string[]): readonly string[] {
  const lower = new Set(excluded.map((label) => label.toLowerCase()));
  return labels.filter((label) => !lower.has(label.toLowerCase()));
}
