import { readXml, type XmlElement } from '../formats/pascal-voc/read-xml.ts';
import { plainLabel, schemeColor, type LabelPair, type SchemeAttribute, type SchemeLabel } from './label-scheme.ts';

/** A file that holds no label scheme; the message says why. */
export class LabelSchemeError extends Error {
  override readonly name = 'LabelSchemeError';
}

/** A label scheme with what models call its labels. */
export interface NamedScheme {
  readonly labels: readonly SchemeLabel[];
  readonly pairs: readonly LabelPair[];
}

/**
 * Reads a label scheme: as Sightglass writes it, the labels of a CVAT task (JSON), a labelling configuration of Label
 * Studio (XML), or a list of names, one a line. Of a label that is there twice, the first counts.
 * @throws LabelSchemeError
 */
export function readLabelScheme(text: string): NamedScheme {
  const trimmed = text.trim();
  const { labels, pairs } = trimmed.startsWith('<')
    ? { labels: labelStudioLabels(trimmed), pairs: [] }
    : /^[[{]/.test(trimmed)
      ? jsonScheme(trimmed)
      : { labels: trimmed.split(/\r?\n/).map((line) => plainLabel(line.trim())), pairs: [] };
  const named = labels.filter(({ name }, at) => name !== '' && labels.findIndex((one) => one.name === name) === at);
  if (named.length + pairs.length === 0) throw new LabelSchemeError('No label was found in it.');
  return { labels: named, pairs };
}

function jsonScheme(text: string): NamedScheme {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new LabelSchemeError('It is not valid JSON.', { cause });
  }
  if (Array.isArray(json)) return { labels: json.map(jsonLabel), pairs: [] };
  const { labels, pairs = [] } = json as { readonly labels?: unknown; readonly pairs?: unknown };
  if (!Array.isArray(labels)) throw new LabelSchemeError('It has no list “labels”.');
  if (!Array.isArray(pairs)) throw new LabelSchemeError(`Its “pairs” is not a list, but ${JSON.stringify(pairs)}.`);
  return { labels: labels.map(jsonLabel), pairs: pairs.map(jsonPair) };
}

function jsonPair(value: unknown, at: number): LabelPair {
  const { label, modelLabel } = (value ?? {}) as Record<string, unknown>;
  if (textOf(label).trim() === '' || textOf(modelLabel).trim() === '')
    throw new LabelSchemeError(
      `Pair ${at + 1} is ${JSON.stringify(value)}; it wants “label” and “modelLabel”, each with a name.`,
    );
  return { label: textOf(label), modelLabel: textOf(modelLabel) };
}

/** A label as CVAT or Sightglass writes it: both have name, color, and attributes with name and values. */
function jsonLabel(value: unknown): SchemeLabel {
  if (typeof value === 'string') return plainLabel(value.trim());
  const { name, color, description, attributes, exampleBinaryDataId } = (value ?? {}) as Record<string, unknown>;
  return {
    name: textOf(name).trim(),
    color: schemeColor(color),
    description: textOf(description),
    attributes: (Array.isArray(attributes) ? attributes : []).flatMap(attributeOf),
    exampleBinaryDataId: textOf(exampleBinaryDataId),
  };
}

function attributeOf(value: unknown): readonly SchemeAttribute[] {
  const { name, values } = (value ?? {}) as Record<string, unknown>;
  const texts = (Array.isArray(values) ? values : []).map((one) => String(one).trim()).filter((one) => one !== '');
  return textOf(name) === '' || texts.length === 0 ? [] : [{ name: textOf(name), values: [...new Set(texts)] }];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The labels within the controls of a Label Studio configuration, of whatever kind: `<Label value="cup" background="#ff0000"/>`. */
function labelStudioLabels(text: string): readonly SchemeLabel[] {
  let root: XmlElement | null;
  try {
    root = readXml(text);
  } catch (cause) {
    throw new LabelSchemeError('It is not valid XML.', { cause });
  }
  return root ? labelsWithin(root) : [];
}

function labelsWithin({ name, attributes, children }: XmlElement): readonly SchemeLabel[] {
  const { value, background, hint = '' } = attributes as Readonly<Record<string, string | undefined>>;
  const own = name === 'Label' && value;
  return [
    ...(own ? [{ ...plainLabel(value.trim()), color: schemeColor(background), description: hint }] : []),
    ...children.flatMap(labelsWithin),
  ];
}
