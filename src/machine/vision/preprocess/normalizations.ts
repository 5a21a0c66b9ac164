/** How pixels become numbers: (v/255 − mean[k]) / stdDev[k] of a byte v, k in the model's own channel order. */
export interface Normalization {
  readonly mean: readonly [number, number, number];
  readonly stdDev: readonly [number, number, number];
}

// Common normalizations of trained models. Where mean and deviation differ by channel, red is first.

/** −1..1, the machine's default */
export const asSigned = { mean: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] } as const satisfies Normalization;
/** 0..1 */
export const asUnits = { mean: [0, 0, 0], stdDev: [1, 1, 1] } as const satisfies Normalization;
/** Bytes 0..255 unchanged: a deviation of 1/255 undoes the division. */
export const asBytes = { mean: [0, 0, 0], stdDev: [1 / 255, 1 / 255, 1 / 255] } as const satisfies Normalization;
/** The normalization of torchvision's and timm's classifiers. */
export const asImageNet = {
  mean: [0.485, 0.456, 0.406],
  stdDev: [0.229, 0.224, 0.225],
} as const satisfies Normalization;
/** Bytes minus the mean of ImageNet, as models from Caffe expect. */
export const asBytesLessMean = { mean: asImageNet.mean, stdDev: asBytes.stdDev } as const satisfies Normalization;
