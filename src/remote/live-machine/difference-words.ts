import { assertNever } from '../../machine/vision/face/errors.ts';
import type { Classification, Detection } from '../../machine/vision/face/results.ts';
import type { RowDifference } from './compare-answers.ts';
import type { Proof } from './prove-frames.ts';

/** The verdict on all frames, in a line. */
export function verdictOf({ frames, changes, counts, largestScoreDifference, rows }: Proof): string {
  const of = `${frames} ${frames === 1 ? 'frame' : 'frames'} (${changes} ${changes === 1 ? 'picture' : 'pictures'}, ${rows} rows)`;
  if (frames === 0) return 'No frame was compared.';
  const rounded = counts.rounding > 0 ? ` ${counts.rounding} more differ by rounding only.` : '';
  if (counts.differs > 0) return `Differs on ${counts.differs} of ${of}.${rounded}`;
  if (counts.rounding > 0) return `Same but for rounding between two runtimes on ${counts.rounding} of ${of}.`;
  if (counts['scores-differ'] > 0) {
    return `Same labels, boxes and order on ${of}; scores differ by at most ${largestScoreDifference.toPrecision(2)}.`;
  }
  return `Equal on ${of}.`;
}

/** The verdict on frames and camera, and what it does not speak of: the last words of a report. */
export function wholeVerdict(proof: Proof, isModelBorrowed: boolean): string {
  const { steps } = proof;
  const not = notComparedIn(proof, isModelBorrowed);
  return [
    verdictOf(proof),
    steps && steps.verdict !== 'not-compared' ? steps.words : '',
    not.length > 0 ? `Not compared: ${not.join('; ')}.` : '',
  ]
    .filter((words) => words !== '')
    .join(' ');
}

/** The parts that no frame of a proof told of, in words. */
export function notComparedIn({ steps }: Proof, isModelBorrowed: boolean): readonly string[] {
  return [
    ...(isModelBorrowed ? ['the model (it ran on the machine, for both sides)'] : []),
    ...(steps?.verdict === 'not-compared' ? [steps.words] : []),
  ];
}

/** One row of the list of what differs, in words. */
export function differenceInWords(difference: RowDifference): string {
  return `${kindInWords(difference)}${difference.isRounding ? ' (rounding)' : ''}`;
}

function kindInWords({ what, here, there }: RowDifference): string {
  switch (what) {
    case 'only-here':
      return `only here: ${rowInWords(here!)}`;
    case 'only-there':
      return `only on the machine: ${rowInWords(there!)}`;
    case 'label':
      return `other label: ${rowInWords(here!)} here, “${there!.label}” on the machine`;
    case 'box':
      return `other box: ${rowInWords(here!)} here, ${rowInWords(there!)} on the machine`;
    case 'order':
      return `other order: ${rowInWords(here!)}`;
    default:
      return assertNever(what);
  }
}

function rowInWords(row: Detection | Classification): string {
  const place = 'xMin' in row ? ` at ${row.xMin}, ${row.yMin} – ${row.xMax}, ${row.yMax}` : '';
  return `“${row.label}” ${row.score.toFixed(4)}${place}`;
}
