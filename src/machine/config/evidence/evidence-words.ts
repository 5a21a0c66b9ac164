import { setupOf } from './setup-of.ts';
import type { LabelEvidence, PresentSetup, ThresholdEvidence } from './threshold-evidence.ts';

/** The evidence for a label's threshold, in words. */
export interface ShownEvidence {
  readonly label: string;
  /** "from 40 images of Yard, precision ≥ 0.9: 0.93 [0.88, 0.97]" */
  readonly text: string;
  /** why that says nothing of the present threshold any more; '': it does */
  readonly outdated: string;
}

/**
 * What the thresholds of a vision service stand on, in words, and whether they still do.
 *
 * @param evidence of all services, the latest last
 * @param thresholdOf the present threshold of a label; Infinity: it is not listed
 * @param present what is in force now
 * @returns for each label of the service one, the latest first
 * @example
 * const labels = [{ label: 'cat', threshold: 0.7, figure: 'precision', expected: { value: 0.931, low: 0.88, high: 0.97 } }];
 * const model = { name: 'pets.onnx', sha256: 'ab' };
 * const yard = { service: 'finder', dataset: 'Yard', images: 40, goal: 'precision ≥ 0.9', atMs: 0, model, setup: '', version: '1', labels };
 * const present = { config: { cameras: [], visionServices: [] }, visionName: 'finder', steps: [], labels: null, sha256: 'ab' };
 * const [cat] = shownEvidence([yard], () => 0.5, present);
 * cat.text; // => 'from 40 images of Yard, precision ≥ 0.9: 0.93 [0.88, 0.97]'
 * cat.outdated; // => 'the threshold was 0.7 then'
 */
export function shownEvidence(
  evidence: readonly ThresholdEvidence[],
  thresholdOf: (label: string) => number,
  present: PresentSetup,
): readonly ShownEvidence[] {
  const setup = setupOf(present);
  const own = evidence.filter(({ service }) => service === present.visionName).toReversed();
  const isOfModel = ({ model }: ThresholdEvidence): boolean => model.sha256 === present.sha256;
  const shown = new Map<string, ShownEvidence>();
  // What another model's thresholds stood on says nothing of a label of which this one has evidence.
  for (const one of [...own.filter(isOfModel), ...own.filter((other) => !isOfModel(other))]) {
    for (const label of one.labels) {
      const key = label.label.toLowerCase();
      if (shown.has(key)) continue;
      const outdated = outdatedText(one, label, thresholdOf(label.label), present.sha256, setup);
      shown.set(key, { label: label.label, text: evidenceText(one, label), outdated });
    }
  }
  return [...shown.values()];
}

function evidenceText({ images, dataset, goal }: ThresholdEvidence, { figure, expected }: LabelEvidence): string {
  const origin = `from ${images} ${images === 1 ? 'image' : 'images'} of ${dataset}, ${goal}`;
  if (!expected) return origin;
  const of = goal.toLowerCase().includes(figure.toLowerCase()) ? '' : `${figure} `;
  const [value, low, high] = [expected.value, expected.low, expected.high].map((one) => one.toFixed(2));
  return `${origin}: ${of}${value} [${low}, ${high}]`;
}

function outdatedText(
  { model, setup }: ThresholdEvidence,
  { threshold }: LabelEvidence,
  present: number,
  sha256: string | null,
  presentSetup: string,
): string {
  if (present === Infinity) return 'the label is no longer listed';
  if (present !== threshold) return `the threshold was ${threshold} then`;
  if (sha256 === null) return ''; // without its model, not even the labels may be known yet
  if (sha256 !== model.sha256) return `it was the model ${model.name} then`;
  return presentSetup === setup ? '' : 'the service, its labels or its camera’s steps changed since';
}
