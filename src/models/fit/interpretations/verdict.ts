/** What a run on a frame says of an interpretation. */
export interface Verdict {
  /** refused: it cannot be right; unsure: this frame does not tell; plausible: it may well be right */
  readonly kind: 'plausible' | 'unsure' | 'refused';
  /** observations on the frame, in sentences: the reasons, for an interpretation that is not plausible */
  readonly seen: readonly string[];
  /** worth knowing of a plausible one too */
  readonly notes: readonly string[];
}

/** The worse of reasons decides. */
export function verdictOf(
  refusals: readonly (string | false)[],
  doubts: readonly (string | false)[],
  notes: readonly (string | false)[] = [],
): Verdict {
  const said = (words: readonly (string | false)[]) => words.filter((word) => word !== false);
  const [refused, unsure] = [said(refusals), said(doubts)];
  if (refused.length > 0) return { kind: 'refused', seen: refused, notes: said(notes) };
  return { kind: unsure.length > 0 ? 'unsure' : 'plausible', seen: unsure, notes: said(notes) };
}

/** "3 of 20 boxes" */
export function share(count: number, of: number, noun: string): string {
  return `${count.toLocaleString('en')} of ${of.toLocaleString('en')} ${noun}`;
}
