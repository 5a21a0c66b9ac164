import { strFromU8 } from 'fflate';
import { ModelError } from '../../machine/vision/face/errors.ts';
import type { ModelSummary, TfliteFormat } from '../../machine/vision/face/inference.ts';
import type { TensorInfo } from '../../machine/vision/face/feeding.ts';
import { detectionPostprocess } from '../fit/modules/tflite-limits.ts';
import { FlatbufferError } from './flat-table.ts';
import { fittedLabelsKey, namesOf } from './exporter-text.ts';
import { readPackedMetadata, type PackedMetadata } from './packed-labels.ts';
import { readTflite, type TfliteFile, type TfliteTensor } from './read-tflite.ts';
import { isTensorDtype } from './tensor-types.ts';

export interface TfliteSummary extends ModelSummary {
  readonly format: TfliteFormat;
  readonly file: TfliteFile;
}

/**
 * Reads a .tflite file's description: names, order, dtypes and shapes as the interpreter has them, because the machine
 * goes by these.
 * @param bytes of the file
 * @returns inputs, outputs, labels, operators and what else the file says of itself
 * @throws ModelError `not-tflite`; `unsupported-tensor` for an input or output of a kind that nothing here can feed or read
 * @example
 * import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
 * readTfliteModel(tfliteChannelMeans()).outputs.map(({ name, shape }) => [name, shape]); // => [['probability', [1, 3]]]
 */
export function readTfliteModel(bytes: Uint8Array): TfliteSummary {
  const file = decodeTflite(bytes);
  const { facts, labels, labelsFrom } = described(bytes, file);
  return {
    file,
    format: {
      name: 'tflite',
      schemaVersion: file.schemaVersion,
      signatures: file.signatures,
      ...(file.classCount !== null && { classCount: file.classCount }),
    },
    byteLength: bytes.length,
    inputs: file.inputs.map((tensor) => tensorInfo(tensor, 'Input')),
    outputs: file.outputs.map((tensor) => tensorInfo(tensor, 'Output')),
    producer: file.description,
    graphName: file.graphName,
    metadata: facts,
    ...(labels && isShifted(file, labels) ? { labels: labels.slice(1) } : { labels }),
    labelsFrom,
    boxOrder: null,
    operators: Object.fromEntries(
      file.operators.map(({ name, isCustom, count }) => [isCustom ? `custom.${name}` : name, count]),
    ),
    parameterCount: file.parameterCount,
    warnings: openSizes(file.inputs),
  };
}

/** What a file that was fitted here says of itself, else what its exporter added. */
function described(bytes: Uint8Array, { metadata }: TfliteFile): PackedMetadata {
  const written = [...metadata].filter(([key]) => key === fittedLabelsKey || key.startsWith('sightglass.'));
  const packed = readPackedMetadata(bytes, metadata.get('TFLITE_METADATA'));
  if (written.length === 0) return packed;
  const facts = Object.fromEntries(written.map(([key, text]) => [key, strFromU8(text)]));
  const labels = namesOf(facts[fittedLabelsKey] ?? '');
  return { facts, labels, labelsFrom: labels ? fittedLabelsKey : '' };
}

/** @throws ModelError `not-tflite`, with words */
export function decodeTflite(bytes: Uint8Array): TfliteFile {
  try {
    return readTflite(bytes);
  } catch (cause) {
    if (!(cause instanceof FlatbufferError)) throw cause;
    throw new ModelError(
      'not-tflite',
      `This TensorFlow Lite model is cut short or damaged: copy or download it again. ${cause.message}`,
      { cause },
    );
  }
}

function tensorInfo({ name, type, shape, scale, zeroPoint }: TfliteTensor, role: 'Input' | 'Output'): TensorInfo {
  if (!isTensorDtype(type)) {
    throw new ModelError(
      'unsupported-tensor',
      `${role} "${name}" is of type ${type}, with which the machine's TensorFlow Lite module does not start. ` +
        'Convert the model with float32 or uint8 inputs and outputs.',
    );
  }
  return {
    name,
    dtype: type,
    shape,
    symbols: shape.map(() => null),
    ...(scale.length > 0 && { quantization: { scale, zeroPoint } }),
  };
}

/** Lists for these detectors begin with ??? for a background that the operator's classes do not count. */
function isShifted({ operators }: TfliteFile, [first]: readonly string[]): boolean {
  return first === '???' && operators.some(({ name }) => name === detectionPostprocess);
}

function openSizes(inputs: readonly TfliteTensor[]): string[] {
  return inputs
    .filter(({ shapeSignature }) => shapeSignature.length > 0)
    .map(
      ({ name, shape, shapeSignature }) =>
        `Input "${name}" was exported with open sizes (${shapeSignature.map((size) => (size < 0 ? '?' : size)).join('×')}); ` +
        `the machine's interpreter runs it at ${shape.join('×')}.`,
    );
}
