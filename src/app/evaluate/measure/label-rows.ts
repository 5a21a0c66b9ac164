/** A label of the table of labels. */
export interface LabelRow {
  readonly name: string;
  /** null: none of its images was counted yet */
  readonly number: number | null;
}

/**
 * The rows of a table of labels: those with truth first, most of it first, by the truth of the whole set, then those that only the
 * model names, in their order. While images come, figures change, and no row moves.
 *
 * @param labels by label number
 * @param isShown whether a label that was counted has a row
 * @param whole boxes of the whole set that count, by the label in lower case, with its name
 */
export function labelRows(
  labels: readonly string[],
  isShown: (label: number) => boolean,
  whole: ReadonlyMap<string, { readonly name: string; readonly count: number }>,
): readonly LabelRow[] {
  const numbers = new Map(labels.map((name, number) => [name.toLowerCase(), number]));
  const ofTruth = [...whole]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([key, { name }]) => {
      const number = numbers.get(key);
      return number === undefined ? { name, number: null } : { name: labels[number]!, number };
    });
  const others = labels.flatMap((name, number) =>
    whole.has(name.toLowerCase()) || !isShown(number) ? [] : [{ name, number }],
  );
  return [...ofTruth, ...others];
}

/** The boxes of images that count, by label in lower case; a label of which none counts has 0. */
export function countTruth(
  images: readonly {
    readonly boxes: readonly { readonly label: string; readonly isCrowd?: boolean; readonly isIgnored?: boolean }[];
  }[],
): ReadonlyMap<string, { readonly name: string; readonly count: number }> {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { boxes } of images)
    for (const { label, isCrowd = false, isIgnored = false } of boxes) {
      const key = label.toLowerCase();
      const { name, count } = counts.get(key) ?? { name: label, count: 0 };
      counts.set(key, { name, count: isCrowd || isIgnored ? count : count + 1 });
    }
  return counts;
}
