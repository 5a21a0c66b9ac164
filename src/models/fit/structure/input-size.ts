/** The size of the picture that a network takes. */
export interface InputSize {
  readonly widthPx: number;
  readonly heightPx: number;
}
