import { isObject, parseDocument, type JsonObject } from '../json/json-document.ts';
import { mlmodelFields, transformCameraFields } from '../parse/attribute-fields.ts';
import { matchingKey } from '../parse/parse-attributes.ts';

/** What a pasted text was taken for. */
export type PastedAs = 'machine' | 'vision-service' | 'camera' | 'mlmodel' | 'unknown';

/**
 * Makes a whole machine configuration of pasted text. A single component or service, a list of them, or an attributes
 * object alone is wrapped; the pasted text itself is only indented.
 * @param text as it was pasted
 * @returns the configuration, and what the text was taken for; `unknown`: the text as it is
 * @example
 * importConfig('{"source": "cam", "pipeline": []}').pastedAs; // => 'camera'
 * importConfig('{"components": []}'); // => { text: '{"components": []}', pastedAs: 'machine' }
 */
export function importConfig(text: string): { readonly text: string; readonly pastedAs: PastedAs } {
  const { value, errors } = parseDocument(text);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first) || (isObject(value) && ('components' in value || 'services' in value))) {
    return { text, pastedAs: isObject(value) ? 'machine' : 'unknown' };
  }
  const pastedAs = kindOfPaste(first);
  // What cannot be read stays as it was given, until it is mended.
  if (pastedAs === 'unknown' || errors.length > 0) return { text, pastedAs };
  const section = pastedAs === 'camera' ? 'components' : 'services';
  const isEntry = isEntryLike(first);
  const entries = Array.isArray(value)
    ? text.trim().slice(1, -1).trim()
    : isEntry
      ? text.trim()
      : bareEntry(pastedAs, text);
  return { text: `{\n  "${section}": [\n    ${indent(entries, '    ')}\n  ]\n}\n`, pastedAs };
}

function kindOfPaste(value: JsonObject): PastedAs {
  if (isEntryLike(value)) {
    const api = String(value['api'] ?? value['type']);
    if (/(^|:)vision$/.test(api)) return 'vision-service';
    if (/(^|:)mlmodel$/.test(api)) return 'mlmodel';
    return /(^|:)camera$/.test(api) ? 'camera' : 'unknown';
  }
  const has = (key: string): boolean => matchingKey(value, key) !== undefined;
  if (has('pipeline') || (has('source') && Object.keys(transformCameraFields).some(has))) return 'camera';
  return Object.keys(mlmodelFields).some(has) ? 'vision-service' : 'unknown';
}

function isEntryLike(value: JsonObject): boolean {
  return ('api' in value || 'type' in value) && ('name' in value || 'attributes' in value || 'model' in value);
}

function bareEntry(pastedAs: PastedAs, attributes: string): string {
  const head =
    pastedAs === 'camera'
      ? '"name": "camera",\n  "api": "rdk:component:camera",\n  "model": "transform"'
      : '"name": "vision",\n  "api": "rdk:service:vision",\n  "model": "mlmodel"';
  return `{\n  ${head},\n  "attributes": ${indent(attributes.trim(), '  ')}\n}`;
}

function indent(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}
