import { strFromU8, unzipSync } from 'fflate';
import { parseLabels } from '../../machine/vision/face/results.ts';
import { exporterFeedingKey } from '../../machine/vision/face/inference.ts';
import { readExporterText } from './exporter-text.ts';
import { FlatTable } from './flat-table.ts';

/** What exporters add to a .tflite file (TFLite Metadata): a description in the flatbuffer, and files in a zip behind it. */
export interface PackedMetadata {
  /** name, description, version, author, license, input_image (see exporterFeedingKey): what is not empty */
  readonly facts: Readonly<Record<string, string>>;
  readonly labels: readonly string[] | null;
  /** the packed file that contains them; '' if none */
  readonly labelsFrom: string;
}

/** No label file is larger. The size in a zip's directory can be wrong, so it is limited. */
const mostLabelBytes = 4 * 1024 * 1024;
/** AssociatedFileType of the metadata's schema: names along an axis of a tensor, or of its values. */
const axisLabels = 2;
const valueLabels = 3;
/** ProcessUnitOptions, ContentProperties and ColorSpaceType of the metadata's schema. */
const normalizationOptions = 1;
const imageProperties = 2;
const rgb = 1;

/** Reads the TFLite Metadata of a file. What is not there, or not sound, is left out: no model depends on it. */
export function readPackedMetadata(file: Uint8Array, metadata: Uint8Array | undefined): PackedMetadata {
  const described = metadata && metadata.length > 0 ? attempt(() => describe(metadata)) : null;
  const texts = packedTexts(file);
  const exported = [...texts].flatMap(([name, text]) => {
    const read = readExporterText(text);
    return read ? [{ ...read, name }] : [];
  })[0];
  if (exported)
    return { facts: { ...described?.facts, ...exported.facts }, labels: exported.labels, labelsFrom: exported.name };
  const named = described?.labelFiles.find((name) => texts.has(name));
  const [only, ...more] = [...texts.keys()].filter((name) => !name.endsWith('.json'));
  const labelsFrom = named ?? (more.length === 0 ? only : [...texts.keys()].find((name) => /label/i.test(name))) ?? '';
  const labels = parseLabels(texts.get(labelsFrom) ?? '');
  return {
    facts: described?.facts ?? {},
    labels: labels.length > 0 ? labels : null,
    labelsFrom: labels.length > 0 ? labelsFrom : '',
  };
}

function describe(bytes: Uint8Array): { facts: Record<string, string>; labelFiles: string[] } {
  const model = FlatTable.root(bytes);
  const facts = { name: 0, description: 1, version: 2, author: 4, license: 5 };
  const outputs = model.tables(3).flatMap((graph) => graph.tables(3));
  const image = imageOf(model);
  const files = outputs.flatMap((tensor) => tensor.tables(6));
  return {
    facts: {
      ...Object.fromEntries(
        Object.entries(facts).flatMap(([name, field]) => {
          const text = model.string(field);
          return text === '' ? [] : [[name, text]];
        }),
      ),
      ...(Object.keys(image).length > 0 && { [exporterFeedingKey]: JSON.stringify(image) }),
    },
    labelFiles: files.filter((file) => [axisLabels, valueLabels].includes(file.int8(2))).map((file) => file.string(0)),
  };
}

interface DescribedImage {
  readonly color_space?: 'RGB';
  /** bytes become (byte − mean) / std */
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
}

/** The facts told of the first input; {} = none. */
function imageOf(model: FlatTable): DescribedImage {
  const [input] = model.tables(3).flatMap((graph) => graph.tables(2));
  const content = input?.table(3);
  const isRgb = content?.int8(0) === imageProperties && content.table(1)?.int8(0) === rgb;
  const unit = input?.tables(4).find((one) => one.int8(0) === normalizationOptions);
  const options = unit?.table(1);
  return {
    ...(isRgb && { color_space: 'RGB' }),
    ...(options && { mean: options.float32s(0), std: options.float32s(1) }),
  };
}

function packedTexts(file: Uint8Array): ReadonlyMap<string, string> {
  const isText = ({ name, originalSize }: { name: string; originalSize: number }) =>
    /\.(txt|labels|names|json)$/i.test(name) && originalSize <= mostLabelBytes;
  const entries = attempt(() => unzipSync(file, { filter: isText })) ?? {};
  return new Map(Object.entries(entries).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
