import { isPlaceholder, parseLabels } from '../../../machine/vision/face/results.ts';
import { labelShift } from './label-shift.ts';

/** A model's classes, as far as they are known when a list of names for them comes. */
export interface KnownClasses {
  /** values of a classifier, or columns of scores; null: the outputs do not say */
  readonly classCount: number | null;
  /** `num_classes` of the file's detection operator, which counts no background; null: it has none */
  readonly detectionCount?: number | null;
  /** names that the model file itself carries; null: none */
  readonly own: readonly string[] | null;
  /** the list that is in force for this model; null: none */
  readonly former: readonly string[] | null;
  /** the highest class that was seen, counted from 0; null: none */
  readonly highest: number | null;
}

/**
 * Says why a label file does not seem to be the one of a model, by how the machine reads it.
 * @param text content of the file
 * @param known of the model's classes
 * @returns sentences for a person, who decides; '': it seems to fit, or nothing is known against it
 * @example
 * const known = { classCount: null, own: null, former: ['cat', 'dog', 'cow'], highest: 2 };
 * doubtLabels('cat', known); // => '1 name. The previous list has 3.'
 * doubtLabels('dog\ncat\ncow', known); // => ''
 * doubtLabels('dog, cat', { ...known, former: null }); // => 'The file has one line, which the machine splits at commas: “dog”, “ cat”.'
 */
export function doubtLabels(text: string, known: KnownClasses): string {
  const labels = parseLabels(text);
  // A former list that has no name for a class that came was wrong itself.
  const isFormerRight = known.former !== null && (known.highest ?? -1) < known.former.length;
  const former = isFormerRight ? known.former!.length : null;
  const told = known.classCount ?? known.own?.length ?? known.detectionCount ?? null;
  const isCounted = (told ?? former) === labels.length;
  const isTold = told === labels.length;
  const doubts = [
    countDoubt(labels, { ...known, formerCount: former }),
    ...textDoubts(text, labels, { isCounted, isTold }),
  ];
  return doubts.filter((doubt) => doubt !== '').join(' ');
}

interface KnownCounts extends Omit<KnownClasses, 'former'> {
  readonly formerCount: number | null;
}

function countDoubt(labels: readonly string[], known: KnownCounts): string {
  const { classCount, own, formerCount, highest, detectionCount = null } = known;
  const names = counted(labels.length, 'name');
  const ofFormer = formerCount === null ? '' : ` The previous list has ${numberText(formerCount)}.`;
  if (classCount === null && own === null && detectionCount !== null) {
    // These operators count no background: of a list that begins with one, LabelShift offers to leave its first line out.
    const hasBackground = isPlaceholder(labels[0]!) && labels.length === detectionCount + 1;
    return labels.length === detectionCount || hasBackground
      ? ''
      : `${names} for ${counted(detectionCount, 'class')}.${ofFormer}`;
  }
  const expected = classCount ?? own?.length ?? formerCount;
  if (expected === null)
    return highest !== null && highest > labels.length ? `${names}, and class ${numberText(highest)} came.` : '';
  // A list that is one line off is taken: how it is put right is offered then.
  const isOff = labelShift({ labels, classCount, isOneBeyond: false, seen: [], own }) !== null;
  if (labels.length === expected || isOff) return '';
  if (classCount !== null) return `${names} for ${counted(classCount, 'class')}.${ofFormer}`;
  return own ? `${names}, and the model file itself has ${numberText(own.length)}.${ofFormer}` : `${names}.${ofFormer}`;
}

/**
 * @param counts `isCounted`: as many names as the model has classes, or the former list names, so that the lines were meant as the
 *   machine reads them; `isTold`: the model itself says so
 */
function textDoubts(
  text: string,
  labels: readonly string[],
  { isCounted, isTold }: { readonly isCounted: boolean; readonly isTold: boolean },
): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const full = lines.filter((line) => line.trim() !== '');
  const lastFull = lines.findLastIndex((line) => line.trim() !== '');
  const emptyCount = lines.slice(0, lastFull + 1).length - full.length;
  const doubts: string[] = [];
  const odd = labels.find((label) => /[\uFFFD\p{Cc}]/u.test(label.replaceAll('\t', '')));
  if (odd !== undefined) doubts.push(`“${odd.slice(0, 20)}” is not UTF-8 text.`);
  if (text.startsWith('\uFEFF'))
    doubts.push('The file begins with a byte order mark, which the machine reads as part of the first name.');
  if (full.length === 1 && labels.length > 1 && !(isTold && labels.every((label) => label && label === label.trim()))) {
    const at = full[0]!.includes(',') ? 'commas' : 'blanks';
    const shown = labels.slice(0, 6).map((label) => `“${label}”`);
    const more = labels.length > 6 ? ' …' : '';
    doubts.push(`The file has one line, which the machine splits at ${at}: ${shown.join(', ')}${more}.`);
  }
  if (emptyCount > 0 && !isCounted) {
    const them = emptyCount === 1 ? 'it' : 'them';
    doubts.push(`${counted(emptyCount, 'empty line')}: the machine leaves ${them} out, and the names behind move up.`);
  }
  if (full.length > 1 && labels.length < full.length) {
    const line = lines.indexOf(full[labels.length]!) + 1;
    doubts.push(`Line ${numberText(line)} has 64 KiB or more: the machine ends the list before it.`);
  }
  return doubts;
}

const numberText = (value: number): string => value.toLocaleString('en');

const counted = (count: number, noun: string): string =>
  `${numberText(count)} ${count === 1 ? noun : noun === 'class' ? 'classes' : `${noun}s`}`;
