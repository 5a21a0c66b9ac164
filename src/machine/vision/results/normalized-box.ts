/** An upright box on a picture: fractions of its width and height, 0 to 1, min ≤ max. */
export interface NormalizedBox {
  readonly xMinNormalized: number;
  readonly yMinNormalized: number;
  readonly xMaxNormalized: number;
  readonly yMaxNormalized: number;
}
