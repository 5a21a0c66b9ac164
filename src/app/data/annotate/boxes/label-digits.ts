/** The digits that give a label, in the order of the keyboard. */
export const labelDigits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const;
export type LabelDigit = (typeof labelDigits)[number];

/** Digits by label; '': a person decided that the label has none. */
export type DigitsByLabel = ReadonlyMap<string, LabelDigit | ''>;

export interface DigitWishes {
  /** in the order of their list */
  readonly labels: readonly string[];
  /** digits that are fixed, by a person or during work */
  readonly chosen: DigitsByLabel;
  /** the former digits */
  readonly before: DigitsByLabel;
  /** number of uses of each label; null: not known */
  readonly uses: ReadonlyMap<string, number> | null;
}

/**
 * Assigns digits to labels: first those that a person chose, then those used most. A label that keeps its rank keeps
 * its digit; among unused labels, those that had a digit come first, then those first in the list.
 * @example assignDigits({ labels: ['cup', 'hat'], chosen: new Map(), before: new Map(), uses: new Map([['hat', 7]]) })
 * // hat → 1, cup → 2
 */
export function assignDigits({ labels, chosen, before, uses }: DigitWishes): DigitsByLabel {
  const assigned = new Map<string, LabelDigit>();
  const free = new Set(labelDigits);
  const give = (label: string, digit: LabelDigit | '' | undefined): void => {
    if (digit && !assigned.has(label) && free.delete(digit)) assigned.set(label, digit);
  };
  const usesOf = (label: string): number => uses?.get(label) ?? 0;

  for (const label of labels) give(label, chosen.get(label));
  const deserving = labels
    .filter((label) => !chosen.has(label))
    .toSorted((a, b) => usesOf(b) - usesOf(a) || Number(before.has(b)) - Number(before.has(a)))
    .slice(0, free.size);
  const [used, unused] = [deserving.filter((label) => usesOf(label) > 0), deserving.filter((label) => !usesOf(label))];
  for (const group of [used, unused]) {
    for (const label of group) give(label, before.get(label));
    for (const label of group) give(label, [...free][0]);
  }
  return assigned;
}

/** Sets the digit of a label; a label that had it gets this one's former digit, if any. */
export function swapDigit(digits: DigitsByLabel, label: string, digit: LabelDigit | ''): DigitsByLabel {
  const former = digits.get(label);
  const others = [...digits].flatMap(([other, its]): [string, LabelDigit | ''][] => {
    if (other === label) return [];
    if (its === '' || its !== digit) return [[other, its]];
    return former ? [[other, former]] : [];
  });
  return new Map([...others, [label, digit]]);
}

export function withoutLabel(digits: DigitsByLabel, label: string): DigitsByLabel {
  return new Map([...digits].filter(([of]) => of !== label));
}

/** Joins two assignments; where both have a label, the first one wins. */
export function joinDigits(one: DigitsByLabel, other: DigitsByLabel): DigitsByLabel {
  return new Map([...other, ...one]);
}

/** Reads a stored assignment; invalid digits are skipped. */
export function parseDigits(stored: unknown): DigitsByLabel {
  const isDigit = (digit: unknown): digit is LabelDigit | '' =>
    digit === '' || labelDigits.some((one) => one === digit);
  return new Map(
    Object.entries(stored ?? {}).flatMap(([label, digit]: [string, unknown]) =>
      isDigit(digit) ? [[label, digit]] : [],
    ),
  );
}
