/** Whether the machine hides a model's first label: a list of thresholds without it drops it. */
export function dropsFirstLabel(
  labelConfidences: Readonly<Record<string, number>>,
  labels: readonly string[] | null,
): boolean {
  const listed = Object.keys(labelConfidences).map((label) => label.toLowerCase());
  return listed.length > 0 && !listed.includes((labels?.[0] ?? '0').toLowerCase());
}
