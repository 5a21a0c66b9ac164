import { readXml, type XmlElement } from '../formats/pascal-voc/read-xml.ts';
import { plainLabel, schemeColor, type SchemeAttribute, type SchemeLabel } from './label-scheme.ts';

/** A file that holds no label scheme; the message says why. */
export class LabelSchemeError extends Error {
  override readonly name = 'LabelSchemeError';
}

/**
 * Reads a label scheme: as Sightglass writes it, the labels of a CVAT task (JSON), a labelling configuration of Label
 * Studio (XML), or a list of names, one a line. Of a label that is there twice, the first counts.
 * @throws LabelSchemeError
 */
export function readLabelScheme(text: string): readonly SchemeLabel[] {
  const trimmed = text.trim();
  const labels = trimmed.startsWith('<')
    ? labelStudioLabels(trimmed)
    : /^[[{]/.test(trimmed)
      ? jsonLabels(trimmed)
      : trimmed.split(/\r?\n/).map((line) => plainLabel(line.trim()));
  const named = labels.filter(({ name }, at) => name !== '' && labels.findIndex((one) => one.name === name) === at);
  if (named.length === 0) throw new LabelSchemeError('No label was found in it.');
  return named;
}

function jsonLabels(text: string): readonly SchemeLabel[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new LabelSchemeError('It is not valid JSON.', { cause });
  }
  const list: unknown = Array.isArray(json) ? json : (json as { readonly labels?: unknown }).labels;
  if (!Array.isArray(list)) throw new LabelSchemeError('It has no list “labels”.');
  return list.map(jsonLabel);
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
