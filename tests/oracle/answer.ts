/** The answer of one side (the machine or Sightglass) to a case, in a form that both share. */
export interface Answer {
  /** why the whole configuration was refused; null = it was accepted */
  readonly refusal: string | null;
  readonly frames: readonly FrameAnswer[];
}

export interface FrameAnswer {
  /** why this frame was refused */
  readonly refusal: string | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** transform: RGBA with premultiplied alpha; detect and classify: the input tensor; otherwise empty */
  readonly bytes: Uint8Array;
  readonly results: readonly Result[];
  /** whether the service reports its model as a classifier, and as a detector */
  readonly ability: readonly [classifier: boolean, detector: boolean] | null;
}

export interface Result {
  readonly label: string;
  readonly score: number;
  /** xMin, yMin, xMax, yMax */
  readonly box: readonly number[];
}

export const nothing = { widthPx: 0, heightPx: 0, bytes: new Uint8Array(), results: [], ability: null };
