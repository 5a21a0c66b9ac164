import type { MachineConfig, TransformStep } from '../parse/machine-config.ts';

/** The evidence for thresholds that were chosen together. */
export interface ThresholdEvidence {
  /** name of the vision service */
  readonly service: string;
  /** name of the dataset */
  readonly dataset: string;
  /** how many images were counted */
  readonly images: number;
  /** what the thresholds were chosen for: "precision ≥ 0.9" */
  readonly goal: string;
  /** ms since 1970 */
  readonly atMs: number;
  readonly model: { readonly name: string; /** in hex; '': unknown */ readonly sha256: string };
  /** equal while the service, its labels and its camera's steps are */
  readonly setup: string;
  /** version of Sightglass */
  readonly version: string;
  readonly labels: readonly LabelEvidence[];
}

export interface LabelEvidence {
  readonly label: string;
  readonly threshold: number;
  /** what `expected` is an estimate of: "precision", "F1" */
  readonly figure: string;
  /** on other images, with its 95 % interval; null: nothing was kept, or nothing was there */
  readonly expected: { readonly value: number; readonly low: number; readonly high: number } | null;
}

/** The setup in force now, with which evidence is compared. */
export interface PresentSetup {
  readonly config: MachineConfig;
  readonly visionName: string | null;
  /** the steps of the cameras that feed the service */
  readonly steps: readonly TransformStep[];
  /** labels of the service's label file; null: there is none */
  readonly labels: readonly string[] | null;
  /** digest of the service's model; null: none is loaded */
  readonly sha256: string | null;
}

/**
 * Adds the evidence of thresholds that were chosen together. What was known of the same labels of that service and model goes;
 * another model has its own, which is there again when it comes back.
 * @param known so far
 * @param added of one choice
 * @returns a new list
 * @example
 * const model = { sha256: 'ab' };
 * const of = (dataset, ...labels) => ({ service: 'v', dataset, model, labels: labels.map((label) => ({ label })) });
 * const known = [of('old', 'cat', 'dog')];
 * withEvidence(known, of('new', 'Cat')); // => [of('old', 'dog'), of('new', 'Cat')]
 */
export function withEvidence(
  known: readonly ThresholdEvidence[],
  added: ThresholdEvidence,
): readonly ThresholdEvidence[] {
  const anew = new Set(added.labels.map(({ label }) => label.toLowerCase()));
  const others = known.map((one) =>
    one.service === added.service && one.model.sha256 === added.model.sha256
      ? { ...one, labels: one.labels.filter(({ label }) => !anew.has(label.toLowerCase())) }
      : one,
  );
  return [...others.filter(({ labels }) => labels.length > 0), added];
}

/** Whether a stored value is evidence of thresholds; only the fields that other code reads are checked. */
export const isEvidence = (value: unknown): value is readonly ThresholdEvidence[] =>
  Array.isArray(value) &&
  value.every(
    (one: Partial<ThresholdEvidence> | null) => typeof one?.service === 'string' && Array.isArray(one.labels),
  );
