import { degreesOf, hueName, machineHsv } from '../vision/color-detector/machine-hsv.ts';
import { colorDetectorFields } from './attribute-fields.ts';
import type { ConfigEntry } from './config-entries.ts';
import type { ColorRule, VisionServiceConfig } from './machine-config.ts';
import { joinAttributeErrors, matchingKey, parseAttributes, type Attributes } from './parse-attributes.ts';
import { parseHexColor } from './parse-hex-color.ts';
import type { Refusal } from './parse-transform-step.ts';

/** What the machine takes for a missing attribute, and for 0. */
export const colorDefaults = { saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 5000 } as const;

/** Why the machine does not build a colour detector: the attribute, and why. */
export interface ColorRefusal {
  readonly key: keyof typeof colorDetectorFields;
  readonly code: string;
  readonly message: string;
}

/** Parses a `color_detector` vision service, or says why the machine cannot build it. */
export function parseColorDetector(
  entry: ConfigEntry,
  raw: unknown,
): { service: VisionServiceConfig | null; refusals: readonly Refusal[] } {
  const { value, errors } = parseAttributes(raw, colorDetectorFields);
  if (errors.length > 0) {
    const path = [...entry.attributesPath, ...(errors[0]?.path ?? [])];
    const message = joinAttributeErrors(errors);
    return { service: null, refusals: [{ path, code: 'bad-attributes', message, refusesAll: true }] };
  }
  const color = colorRule(value);
  if ('code' in color) {
    const { key, code, message } = color;
    const path = [...entry.attributesPath, matchingKey(entry.attributes, key) ?? key];
    return { service: null, refusals: [{ path, code, message }] };
  }
  return { service: colorService(entry.name, value.camera_name, color), refusals: [] };
}

/** A vision service that finds a colour: the attributes of a model are at rest. */
function colorService(name: string, cameraName: string, color: ColorRule): VisionServiceConfig {
  return {
    name,
    cameraName,
    color,
    mlModelName: '',
    remapInputNames: {},
    remapOutputNames: {},
    boxOrder: null,
    meanValue: [],
    stdDev: [],
    bgr: false,
    defaultMinimumConfidence: 0,
    labelConfidences: {},
    labelPath: '',
  };
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
export function colorRule(attributes: Attributes<typeof colorDetectorFields>): ColorRule | ColorRefusal {
  const { detect_color: text, hue_tolerance_pct: tolerance } = attributes;
  const color = parseHexColor(text);
  const refuse = (key: ColorRefusal['key'], code: string, message: string): ColorRefusal => ({ key, code, message });
  if (!color) {
    const got = text === '' ? 'it is missing' : `got ${JSON.stringify(text)}`;
    return refuse('detect_color', 'bad-color', `detect_color must be a colour such as "#336699"; ${got}`);
  }
  const { hue, ...steps } = machineHsv(color.red, color.green, color.blue);
  const [saturation, value] = [steps.saturation / 255, steps.value / 255];
  if (saturation === 0)
    return refuse('detect_color', 'grey-color', `detect_color ${text} is black, white or grey, which has no hue`);
  const saturationCutoff = attributes.saturation_cutoff_pct || colorDefaults.saturationCutoff;
  const valueCutoff = attributes.value_cutoff_pct || colorDefaults.valueCutoff;
  if (tolerance > 1 || tolerance <= 0)
    return refuse(
      'hue_tolerance_pct',
      'bad-hue-tolerance',
      `hue_tolerance_pct is required and must be above 0, to 1; got ${tolerance}`,
    );
  if (isOutside(saturationCutoff))
    return refuse(
      'saturation_cutoff_pct',
      'bad-cutoff',
      `saturation_cutoff_pct must be 0 to 1; got ${saturationCutoff}`,
    );
  if (isOutside(valueCutoff))
    return refuse('value_cutoff_pct', 'bad-cutoff', `value_cutoff_pct must be 0 to 1; got ${valueCutoff}`);
  if (saturation < saturationCutoff)
    return refuse(
      'detect_color',
      'pale-color',
      `detect_color ${text} is too pale: its saturation ${share(saturation)} is below saturation_cutoff_pct ${saturationCutoff}`,
    );
  if (value < valueCutoff)
    return refuse(
      'detect_color',
      'dark-color',
      `detect_color ${text} is too dark: its value ${share(value)} is below value_cutoff_pct ${valueCutoff}`,
    );
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

function isOutside(cutoff: number): boolean {
  return cutoff > 1 || cutoff < 0;
}

/** Cut off, so that it is never shown as high as a cut-off that it fails. */
function share(value: number): string {
  return (Math.floor(value * 1000) / 1000).toString();
}
