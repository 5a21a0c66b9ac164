import type { LabelledBox } from '../../evidence/capture/capture.ts';

/** The predictions of a model for one image. */
export interface PredictionRun {
  /** the vision service that made them */
  readonly by: string;
  readonly boxes: readonly LabelledBox[];
}

/**
 * Runs the model on a stored image. `fromScore`: gives all boxes with at least this score (0 to 1) instead of those
 * that the thresholds keep. Rejects with a ModelRunError that says what is missing.
 */
export type RunModel = (image: Blob, name: string, fromScore?: number) => Promise<PredictionRun>;

/** Why no model was run, in words for a person. */
export class ModelRunError extends Error {
  override readonly name = 'ModelRunError';
  readonly code: 'no-model' | 'no-boxes' | 'failed' | 'changed' | 'moved';
  constructor(code: ModelRunError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
