/** How pixels become numbers, as models are commonly trained: (v / 255 − mean) / std. */
export interface NormalizationPreset {
  readonly name: string;
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
}

export const normalizationPresets: readonly NormalizationPreset[] = [
  { name: '−1 to 1 (the default)', mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
  { name: '0 to 1', mean: [0, 0, 0], std: [1, 1, 1] },
  // 1/255: undoes the division, for models that take 0..255 as float32 (YOLOX, EfficientDet).
  { name: '0 to 255', mean: [0, 0, 0], std: [0.00392156862745098, 0.00392156862745098, 0.00392156862745098] },
  { name: 'ImageNet', mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
];

/** The preset that these numbers are, compared as the float32 that the machine holds. */
export function presetOf(mean: readonly number[], std: readonly number[]): NormalizationPreset | undefined {
  return normalizationPresets.find((preset) => same(preset.mean, mean) && same(preset.std, std));
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
