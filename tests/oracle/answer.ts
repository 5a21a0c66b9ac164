/** What a side said to a case, in words that both share. */
export interface Answer {
  /** why the configuration was refused as a whole; null = it was built */
  readonly refusal: string | null;
  readonly frames: readonly FrameAnswer[];
}

export interface FrameAnswer {
  /** why this frame was refused */
  readonly refusal: string | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** transform: red, green, blue, alpha, with alpha multiplied in; detect and classify: the input tensor; else empty */
  readonly bytes: Uint8Array;
  readonly results: readonly Result[];
  /** whether the service calls its model a classifier, and a detector */
  readonly ability: readonly [classifier: boolean, detector: boolean] | null;
}

export interface Result {
  readonly label: string;
  readonly score: number;
  /** xMin, yMin, xMax, yMax */
  readonly box: readonly number[];
}

export const nothing = { widthPx: 0, heightPx: 0, bytes: new Uint8Array(), results: [], ability: null };
