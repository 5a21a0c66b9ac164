import type { VisionServiceConfig } from '../../config/face/machine-config.ts';
import { degreesOf, hueName, machineHsv } from './machine-hsv.ts';
import { parseHexColor } from './parse-hex-color.ts';

/** The attributes of a `color_detector`, decoded: 0 and '' where they are missing. */
type ColorAttributes = NonNullable<VisionServiceConfig['color']>;

/** What a `color_detector` finds, with its defaults in place (viamrobotics/rdk, vision/objectdetection/color_detector.go). */
export interface ColorRule {
  /** hue of `detect_color`, in degrees, 0..360 */
  readonly hueDeg: number;
  /** share of the turn of hue that passes, half on either side, 0 (excluded) to 1: everything */
  readonly tolerance: number;
  /** lowest saturation, 0 (excluded) to 1 */
  readonly saturationCutoff: number;
  /** lowest value, 0 (excluded) to 1 */
  readonly valueCutoff: number;
  /** lowest area of a box, px²; 0 or less: every group of pixels */
  readonly minAreaPx: number;
  /** label of all boxes; never '' */
  readonly label: string;
}

/** What the machine takes for a missing attribute, and for 0. */
export const colorDefaults = { saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 5000 } as const;

export type ColorRefusalCode =
  'bad-color' | 'grey-color' | 'pale-color' | 'dark-color' | 'bad-hue-tolerance' | 'bad-cutoff';

/** Why the machine does not build a colour detector: the attribute, and why. */
export interface ColorRefusal {
  readonly key: keyof ColorAttributes;
  readonly code: ColorRefusalCode;
  readonly message: string;
}

/**
 * Reads the attributes of a colour detector with the machine's defaults, checked in the machine's order.
 * @param attributes decoded, 0 and '' where missing
 * @returns the rule, or the first refusal
 * @example
 * const attributes = { detect_color: '#336699', hue_tolerance_pct: 0.3, saturation_cutoff_pct: 0, value_cutoff_pct: 0, segment_size_px: 0, label: '', camera_name: '' };
 * const { saturationCutoff, minAreaPx, label } = colorRule(attributes);
 * [saturationCutoff, minAreaPx, label]; // => [0.2, 5000, 'light-blue']
 * colorRule({ ...attributes, detect_color: '#888888' }).code; // => 'grey-color'
 */
export function colorRule(attributes: ColorAttributes): ColorRule | ColorRefusal {
  const { detect_color: text, hue_tolerance_pct: tolerance } = attributes;
  const refuse = (key: ColorRefusal['key'], code: ColorRefusalCode, why: string): ColorRefusal => ({
    key,
    code,
    message: `${key} is ${JSON.stringify(attributes[key])}, ${why}`,
  });
  const color = parseHexColor(text);
  if (!color) return refuse('detect_color', 'bad-color', 'not a colour such as "#336699"');
  const { hue, saturation, value } = machineHsv(color.red, color.green, color.blue);
  if (saturation === 0) return refuse('detect_color', 'grey-color', 'which is grey and has no hue');
  if (tolerance > 1 || tolerance <= 0)
    return refuse('hue_tolerance_pct', 'bad-hue-tolerance', 'not above 0 and at most 1');
  const cutoffs = [
    ['saturation_cutoff_pct', saturation, colorDefaults.saturationCutoff, 'pale-color', 'paler'],
    ['value_cutoff_pct', value, colorDefaults.valueCutoff, 'dark-color', 'darker'],
  ] as const;
  const [saturationCutoff, valueCutoff] = cutoffs.map(([key, , usual]) => attributes[key] || usual) as [number, number];
  for (const [key] of cutoffs)
    if (attributes[key] > 1 || attributes[key] < 0) return refuse(key, 'bad-cutoff', 'not between 0 and 1');
  for (const [key, step, usual, code, what] of cutoffs) {
    const cutoff = attributes[key] || usual;
    if (step / 255 < cutoff) return refuse('detect_color', code, `${what} than ${key} ${cutoff}`);
  }
  const hueDeg = degreesOf(hue);
  return {
    hueDeg,
    tolerance,
    saturationCutoff,
    valueCutoff,
    minAreaPx: attributes.segment_size_px || colorDefaults.minAreaPx,
    label: attributes.label || hueName(hueDeg),
  };
}
