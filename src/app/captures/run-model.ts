import type { LabelledBox } from '../../capture/capture.ts';

/** What a model saw on one image. */
export interface PredictionRun {
  /** who saw it: the vision service */
  readonly by: string;
  readonly boxes: readonly LabelledBox[];
}

/** Runs the model on an image as it was stored. Rejects with a ModelRunError that says what is missing. */
export type RunModel = (image: Blob, name: string) => Promise<PredictionRun>;

/** Why no model ran, in words for the person at the page. */
export class ModelRunError extends Error {
  override readonly name = 'ModelRunError';
  readonly code: 'no-model' | 'no-boxes' | 'failed';
  constructor(code: ModelRunError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
