import { colorDefaults, type ColorRefusal, colorRule, type ColorRule } from '../../vision/face/colors.ts';
import { colorDetectorFields } from '../parse/attribute-fields.ts';
import { findEntry, listEntries } from '../parse/config-entries.ts';
import { attributePath, freeName, readAttribute } from './edit-config.ts';
import { EditError, insertAt, removeAt, setAt } from '../json/edit-json.ts';
import { parseDocument } from '../json/json-document.ts';
import { parseAttributes, type Attributes } from '../parse/parse-attributes.ts';

/** Attributes of a colour detector, some of them. */
export type ColorAttributes = Partial<Attributes<typeof colorDetectorFields>>;

/**
 * Sets attributes of a colour detector.
 * @param text JSON of the machine configuration
 * @param name of the vision service
 * @param attributes those that change
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"c","api":"rdk:service:vision","model":"color_detector","attributes":{}}]}';
 * JSON.parse(setColorAttributes(text, 'c', { hue_tolerance_pct: 0.1 })).services[0].attributes; // => { hue_tolerance_pct: 0.1 }
 */
export function setColorAttributes(text: string, name: string, attributes: ColorAttributes): string {
  return Object.entries(attributes).reduce((edited, [key, value]) => {
    const entry = findEntry(listEntries(parseDocument(edited)), name, 'color-detector');
    if (!entry) throw new EditError('no-such-value', `The configuration has no colour detector named "${name}".`);
    return setAt(edited, attributePath(entry, key), value);
  }, text);
}

/**
 * Sets attributes like `setColorAttributes`, and the cut-offs as what is to be found needs them: none below its default, unless
 * it reaches no more. A higher one stays where it is reached. What an earlier colour has lowered is thereby raised again.
 * @param text JSON of the machine configuration
 * @param name of the vision service
 * @param attributes a colour among them
 * @param reached saturation and value, 0..1, that what is to be found reaches
 * @returns the new text
 * @throws EditError `no-such-value` if there is no such service
 * @example
 * const text = '{"services":[{"name":"c","api":"rdk:service:vision","model":"color_detector","attributes":{"value_cutoff_pct":0.1}}]}';
 * const edited = setPickedColor(text, 'c', { detect_color: '#ffe0e0' }, { saturation: 0.12, value: 1 });
 * JSON.parse(edited).services[0].attributes; // => { detect_color: '#ffe0e0', saturation_cutoff_pct: 0.11 }
 */
export function setPickedColor(
  text: string,
  name: string,
  attributes: ColorAttributes,
  reached: { readonly saturation: number; readonly value: number },
): string {
  const entry = findEntry(listEntries(parseDocument(text)), name, 'color-detector');
  const { value: before } = parseAttributes(entry?.attributes ?? {}, colorDetectorFields);
  const edited = setColorAttributes(text, name, attributes);
  const cutoffs = [
    ['saturation_cutoff_pct', reached.saturation, colorDefaults.saturationCutoff],
    ['value_cutoff_pct', reached.value, colorDefaults.valueCutoff],
  ] as const;
  return cutoffs.reduce((picked, [key, share, usual]) => {
    const least = Math.max(usual, before[key]);
    if (share < least) return setColorAttributes(picked, name, { [key]: below(share) });
    return before[key] < usual ? withoutAttribute(picked, name, key) : picked;
  }, edited);
}

function withoutAttribute(text: string, name: string, key: keyof ColorAttributes): string {
  const entry = findEntry(listEntries(parseDocument(text)), name, 'color-detector');
  return entry && readAttribute(entry, key) !== undefined ? removeAt(text, attributePath(entry, key)) : text;
}

/** Two decimals, strictly below, and not 0, which is not set. */
function below(share: number): number {
  return Math.max(0.01, Math.round(Math.ceil(share * 100 - 1)) / 100);
}

/**
 * Adds a colour detector behind the other services.
 * @param text JSON of the machine configuration
 * @param cameraName the camera that it looks through; '': none
 * @returns the new text, and the name of the service, which is free
 * @throws EditError if the text has no place for it, such as `services` that is not a list
 * @example
 * const { text, name } = addColorDetector('{}', 'cam');
 * JSON.parse(text).services[0].name === name; // => true
 */
export function addColorDetector(text: string, cameraName: string): { readonly text: string; readonly name: string } {
  const name = freeName(text, 'colour-detector');
  const attributes = { detect_color: '#336699', hue_tolerance_pct: 0.1, segment_size_px: 500 };
  const entry = {
    name,
    api: 'rdk:service:vision',
    model: 'color_detector',
    attributes: cameraName === '' ? attributes : { ...attributes, camera_name: cameraName },
  };
  return { text: insertAt(text, ['services'], Infinity, entry), name };
}

/**
 * Reads the attributes of a colour detector, also of one that the machine does not build.
 * @param raw as they are written
 * @returns the attributes, 0 and '' where they are missing or of another type; and the rule, or why the machine refuses it
 * @example
 * const { attributes, rule } = readColorDetector({ detect_color: '#ff0000', hue_tolerance_pct: 0.1 });
 * [attributes.segment_size_px, rule.minAreaPx, rule.label]; // => [0, 5000, 'red']
 * readColorDetector({ detect_color: '#888888', hue_tolerance_pct: 0.1 }).refusal.code; // => 'grey-color'
 */
export function readColorDetector(raw: unknown): {
  readonly attributes: Attributes<typeof colorDetectorFields>;
  readonly rule: ColorRule | null;
  readonly refusal: ColorRefusal | null;
} {
  const { value: attributes, errors } = parseAttributes(raw, colorDetectorFields);
  const read = errors.length > 0 ? null : colorRule(attributes);
  return read && 'code' in read ? { attributes, rule: null, refusal: read } : { attributes, rule: read, refusal: null };
}
