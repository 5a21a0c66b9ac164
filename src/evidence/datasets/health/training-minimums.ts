import type { DatasetHealth } from './dataset-health.ts';

/** A requirement or recommendation for a dataset that a model is trained on. */
export interface TrainingMinimum {
  /** `must`: Viam's training service refuses the dataset otherwise */
  readonly weight: 'must' | 'should';
  readonly isMet: boolean;
  readonly message: string;
}

/**
 * Checks the requirements and recommendations of docs.viam.com for datasets for object detection ("Create a dataset").
 */
export function checkDetectionMinimums(health: DatasetHealth): TrainingMinimum[] {
  const { imageCount, withoutBoxes, labels } = health;
  const labelled = imageCount - withoutBoxes.length;
  const percent = imageCount === 0 ? 0 : Math.floor((100 * labelled) / imageCount);
  const few = labels.filter(({ boxCount }) => boxCount < 10);
  const counts = labels.map((label) => label.imageCount);
  const isBalanced = labels.length < 2 || Math.max(...counts) <= 3 * Math.min(...counts);
  return [
    { weight: 'must', isMet: imageCount >= 15, message: `15 images: it has ${imageCount}.` },
    { weight: 'must', isMet: percent >= 80, message: `80 % of the images with boxes: ${percent} % are.` },
    {
      weight: 'must',
      isMet: labels.length > 0 && few.length === 0,
      message: `10 boxes of each label: ${labels.length === 0 ? 'there are no labels' : few.length === 0 ? 'all have them' : fewWords(few, labels.length)}.`,
    },
    { weight: 'should', isMet: isBalanced, message: 'No label on more than three times as many images as another.' },
  ];
}

/** Names the rarest labels only, because the page also shows a table of all labels. */
function fewWords(few: DatasetHealth['labels'], labelCount: number): string {
  const thinnest = few.toSorted((a, b) => a.boxCount - b.boxCount).slice(0, 3);
  const named = thinnest.map(({ label, boxCount }) => `${label} has ${boxCount}`).join(', ');
  return few.length === thinnest.length ? named : `${few.length} of ${labelCount} have fewer; ${named}, the fewest`;
}
