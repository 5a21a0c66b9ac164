import { isPlaceholder } from '../../vision/decode/labels.ts';

/** A list of labels that begins one line too early or too late for the model, put right. */
export interface LabelShift {
  readonly labels: readonly string[];
  /** what was seen, and what follows */
  readonly words: string;
  /** what is done to the list, on a button */
  readonly action: string;
}

/** What a run said that depends on where the list begins. */
export interface LabelEvidence {
  readonly labels: readonly string[];
  /** values of a classifier, null = none */
  readonly classCount: number | null;
  /** a class came that is beyond the list, by the code of its error */
  readonly isBeyond: boolean;
  /** labels that sure boxes had */
  readonly seen: readonly string[];
}

/**
 * Where the numbers of a model and the lines of its label file are one apart: classes counted from 1, a background class in
 * front, or a line for that class which the model does not have. null where nothing says so.
 */
export function labelShift({ labels, classCount, isBeyond, seen }: LabelEvidence): LabelShift | null {
  const [first, ...others] = labels;
  if (first === undefined) return null;
  const hasPlaceholder = isPlaceholder(first);
  if (classCount === labels.length + 1 && !hasPlaceholder)
    return {
      labels: ['background', ...labels],
      words: `The model has ${classCount.toLocaleString('en')} classes and the list ${labels.length.toLocaleString('en')} labels: its class 0 is probably background.`,
      action: 'Put “background” before them',
    };
  if (classCount === labels.length - 1 && hasPlaceholder)
    return {
      labels: others,
      words: `The list begins with “${first}”, for which the model has no class.`,
      action: 'Leave its first line out',
    };
  if (isBeyond && !hasPlaceholder)
    return {
      labels: ['background', ...labels],
      words: 'A class came that is beyond the list: this model probably counts its classes from 1.',
      action: 'Put a line before them',
    };
  if (hasPlaceholder && seen.includes(first))
    return {
      labels: others,
      words: `Boxes are called “${first}”, which stands for nothing: this model counts from 0, and the list from 1.`,
      action: 'Leave its first line out',
    };
  return null;
}
