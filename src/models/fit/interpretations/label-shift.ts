import { isPlaceholder } from '../../../machine/vision/face/results.ts';

/** A list of labels that begins one line too early or too late for the model, put right. */
export interface LabelShift {
  readonly labels: readonly string[];
  /** the observation, and what follows from it */
  readonly words: string;
  /** the change of the list, as words on a button */
  readonly action: string;
}

/** What a run said that depends on where the list begins. */
export interface LabelEvidence {
  readonly labels: readonly string[];
  /** values of a classifier, null = none */
  readonly classCount: number | null;
  /** the highest class that came is the one behind the list's last, and class 0 never came */
  readonly isOneBeyond: boolean;
  /** labels that sure boxes had */
  readonly seen: readonly string[];
  /** names that the model file itself carries, which the machine does not read; null = none */
  readonly own?: readonly string[] | null;
}

/** Lists that models are commonly trained with, by their first two names. */
const wellKnown: readonly (readonly [name: string, first: string, second: string])[] = [
  ['COCO', 'person', 'bicycle'],
  ['ImageNet', 'tench', 'goldfish'],
  ['Pascal VOC', 'aeroplane', 'bicycle'],
  ['CIFAR-10', 'airplane', 'automobile'],
];

/**
 * Finds out whether the numbers of a model and the lines of its label file are one apart: classes counted from 1, a
 * background class in front, or a line for a class that the model does not have.
 * @param evidence the labels, how many classes the model has, and what it was seen to return
 * @returns the labels that fit, and why; null: nothing says that they are apart
 * @example
 * const evidence = { labels: ['cat', 'dog'], classCount: 3, isOneBeyond: false, seen: [] };
 * labelShift(evidence).labels; // => ['background', 'cat', 'dog']
 * labelShift({ ...evidence, classCount: 2 }); // => null
 */
export function labelShift({ labels, classCount, isOneBeyond, seen, own = null }: LabelEvidence): LabelShift | null {
  const [first, ...others] = labels;
  if (first === undefined) return null;
  const hasOwnClasses = own && (classCount === own.length || classCount !== labels.length);
  const shifted = hasOwnClasses && shiftAgainst(labels, own);
  if (shifted) return shifted;
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
  if (isOneBeyond && !hasPlaceholder && (own === null || own.length <= labels.length + 1))
    return {
      labels: ['background', ...labels],
      words:
        'A class came that is one beyond the list, and class 0 never did: this model probably counts its classes from 1.',
      action: 'Put a line before them',
    };
  if (hasPlaceholder && seen.includes(first))
    return {
      labels: others,
      words: `Boxes are called “${first}”, which stands for nothing: this model counts from 0, and the list from 1.`,
      action: 'Leave its first line out',
    };
  const lacks = (name: string) => !labels.some((label) => isSameName(label, name));
  const known = wellKnown.find(([, name, second]) => isSameName(first, second) && lacks(name));
  if (known) {
    const [list, missing] = known;
    return {
      labels: [missing, ...labels],
      words: `The list begins with “${first}”, which is the second name of ${list}: “${missing}” is missing before it.`,
      action: `Put “${missing}” before them`,
    };
  }
  return null;
}

/** A list that says the model's own names a line too early or too late. */
function shiftAgainst(labels: readonly string[], own: readonly string[]): LabelShift | null {
  const agreeing = (by: number) => own.filter((name, at) => isSameName(name, labels[at + by] ?? '')).length;
  const shared = Math.max(2, 0.8 * (own.length - 1));
  if (own.length < 2 || agreeing(0) >= agreeing(1) + agreeing(-1)) return null;
  const words = `The model file itself begins its names with “${own[0]}”, and the list begins with “${labels[0]}”.`;
  if (agreeing(1) >= shared) return { labels: labels.slice(1), words, action: 'Leave its first line out' };
  if (agreeing(-1) >= shared) return { labels: [own[0]!, ...labels], words, action: `Put “${own[0]}” before them` };
  return null;
}

function isSameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.toLowerCase();
}
