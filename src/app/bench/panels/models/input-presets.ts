import { asBytes, asImageNet, asSigned, asUnits, type Normalization } from '../../../../machine/vision/face/feeding.ts';

/** How pixels become numbers, as a person chooses it. */
export interface NormalizationPreset extends Normalization {
  readonly name: string;
}

export const normalizationPresets: readonly NormalizationPreset[] = [
  { name: '−1 to 1 (the default)', ...asSigned },
  { name: '0 to 1', ...asUnits },
  // For models that take 0..255 as float32 (YOLOX, EfficientDet).
  { name: '0 to 255', ...asBytes },
  { name: 'ImageNet', ...asImageNet },
];

/** The preset that these numbers are, compared as the float32 that the machine holds. */
export function presetOf(mean: readonly number[], stdDev: readonly number[]): NormalizationPreset | undefined {
  return normalizationPresets.find((preset) => same(preset.mean, mean) && same(preset.stdDev, stdDev));
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, channel) => Math.fround(value) === Math.fround(b[channel] ?? NaN));
}

export interface BoxOrderPreset {
  readonly name: string;
  /** position p holds coordinate order[p]: 0 xmin, 1 ymin, 2 xmax, 3 ymax */
  readonly order: readonly [number, number, number, number];
}

export const boxOrderPresets: readonly BoxOrderPreset[] = [
  { name: 'ymin, xmin, ymax, xmax', order: [1, 0, 3, 2] },
  { name: 'xmin, ymin, xmax, ymax', order: [0, 1, 2, 3] },
  { name: 'xmin, xmax, ymin, ymax', order: [0, 2, 1, 3] },
  { name: 'ymin, ymax, xmin, xmax', order: [1, 3, 0, 2] },
];

/** A box order in words. */
export function boxOrderName(order: readonly number[]): string {
  return order.map((coordinate) => ['xmin', 'ymin', 'xmax', 'ymax'][coordinate] ?? '?').join(', ');
}
