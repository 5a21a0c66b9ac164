import { diffJson } from '../../machine/config/face/json.ts';
import { serviceThresholds } from '../../machine/vision/face/filters.ts';
import type { CertifiedEntry } from './certificate.ts';

/**
 * Says in words by what two entries differ.
 *
 * @param then what a certificate states
 * @param now what is in force
 * @returns one part of a sentence a difference; none: they are equal
 * @example
 * const of = (defaultMinimumConfidence) => ({ service: { name: 'v', defaultMinimumConfidence, labelConfidences: {} } });
 * entryDifferences(of(0.5), of(0.7)); // => ['the default threshold was 0.5 and is 0.7']
 */
export function entryDifferences(then: CertifiedEntry, now: CertifiedEntry): readonly string[] {
  const words = new Set(thresholdDifferences(then.service, now.service));
  for (const { path } of diffJson(then, now)) {
    const [, member = '', key = ''] = path.split('/');
    if (member !== 'service') words.add(partWords(member, then, now));
    else if (!isThreshold(key)) words.add(`${then.service.name}: ${key} was changed`);
  }
  return [...words];
}

/** At most so many labels are named, because the thresholds of another model differ in every label. */
const MOST_LABELS = 3;

const isThreshold = (key: string): boolean => key === 'labelConfidences' || key === 'defaultMinimumConfidence';

function partWords(member: string, then: CertifiedEntry, now: CertifiedEntry): string {
  switch (member) {
    case 'camera':
      return `it looked through ${then.camera ?? 'no camera'} and looks through ${now.camera ?? 'none'}`;
    case 'steps':
      return `the steps of camera ${then.camera} were changed`;
    case 'cropsToEven':
      return `the source of camera ${then.camera} is of a different kind`;
    case 'modelServices':
      return `the ML model service of ${then.service.name} was changed`;
    default:
      return 'a service that a step draws was changed';
  }
}

type Service = CertifiedEntry['service'];

function thresholdDifferences(then: Service, now: Service): readonly string[] {
  const words: string[] = [];
  const lists = [then, now].map(({ labelConfidences }) => Object.keys(labelConfidences));
  // A list of labels replaces the default.
  if (lists.some((list) => list.length === 0) && then.defaultMinimumConfidence !== now.defaultMinimumConfidence)
    words.push(`the default threshold was ${then.defaultMinimumConfidence} and is ${now.defaultMinimumConfidence}`);
  const labels = [...new Map(lists.flat().map((label) => [label.toLowerCase(), label])).values()];
  const [before, after] = [serviceThresholds(labels, then), serviceThresholds(labels, now)];
  const moved = labels.flatMap((label, at) =>
    before[at] === after[at]
      ? []
      : [`the threshold of ${label} was ${valueText(before[at]!)} and is ${valueText(after[at]!)}`],
  );
  words.push(...moved.slice(0, MOST_LABELS));
  const more = moved.length - MOST_LABELS;
  if (more > 0)
    words.push(`the ${more === 1 ? 'threshold of 1 more label differs' : `thresholds of ${more} more labels differ`}`);
  if (lists.some((list) => list.length === 0) && lists.some((list) => list.length > 0))
    words.push('labels that are not listed are kept on one side and dropped on the other');
  return words;
}

const valueText = (threshold: number): string =>
  threshold === Infinity ? 'none: the label is dropped' : threshold === -Infinity ? '0' : String(threshold);
