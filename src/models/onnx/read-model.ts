import { fromBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema, type GraphProto, type ModelProto, type ValueInfoProto } from '../../gen/onnx_pb.ts';
import { ModelError } from '../../machine/vision/face/errors.ts';
import type { ModelSummary, OnnxFormat } from '../../machine/vision/face/inference.ts';
import type { TensorInfo } from '../../machine/vision/face/feeding.ts';
import { dtypeOf } from './dtypes.ts';
import { guessFileKind, guessKindByName } from './file-kind.ts';
import { countOperators } from './graph-walk.ts';
import { loadFacts, type LoadFacts } from './load-facts.ts';
import { readBoxOrder, readLabels } from './model-labels.ts';

export interface OnnxSummary extends ModelSummary {
  readonly format: OnnxFormat;
  /** files beside the model that hold weights */
  readonly externalFiles: readonly string[];
  /** facts by which a runtime loads the file or refuses it */
  readonly loadFacts: LoadFacts;
}

/**
 * Reads a model file's description. Weights are skipped, never copied or decoded.
 * @param bytes of the file
 * @param fileName for the words about a file that is not a model
 * @returns inputs, outputs, metadata, operators and what else the file says of itself
 * @throws ModelError `not-onnx`, saying what the bytes look like; `unsupported-dtype` for an input that is not a tensor
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * readModel(channelMeansClassifier()).outputs.map(({ name, shape }) => [name, shape]); // => [['probability', [1, 3]]]
 */
export function readModel(bytes: Uint8Array, fileName = 'model'): OnnxSummary {
  const model = decodeDescription(bytes, fileName);
  const { graph } = model;
  const facts = loadFacts(model);
  const initializers = new Set(graph.initializer.map(({ name }) => name));
  const metadata = Object.fromEntries(model.metadataProps.map(({ key, value }) => [key, value]));
  const labels = readLabels(metadata);
  const warnings: string[] = [];
  const inputs = graph.input
    .filter(({ name }) => !initializers.has(name))
    .map((input) => {
      const info = tensorInfo(input);
      if (info !== undefined) return info;
      throw new ModelError(
        'unsupported-dtype',
        `Input "${input.name}" is not a tensor of a common type; the machine fills uint8 and float32 tensors only.`,
      );
    });
  const outputs = graph.output.flatMap((output) => {
    const info = tensorInfo(output);
    if (info === undefined) warnings.push(`Output "${output.name}" is not a tensor of a common type and is left out.`);
    return info ?? [];
  });
  return {
    byteLength: bytes.length,
    inputs,
    outputs,
    format: { name: 'onnx', irVersion: facts.irVersion, opsets: facts.opsets },
    producer: [model.producerName, model.producerVersion].filter(Boolean).join(' '),
    graphName: graph.name,
    metadata,
    labels: labels?.labels ?? null,
    labelsFrom: labels?.from ?? '',
    boxOrder: readBoxOrder(metadata),
    operators: countOperators(model),
    parameterCount: graph.initializer.reduce((sum, { dims }) => sum + Number(dims.reduce((a, b) => a * b, 1n)), 0),
    externalFiles: facts.externalFiles,
    loadFacts: facts,
    warnings,
  };
}

/**
 * Reads what a runtime looks at when it loads a model, of any ONNX file: an input that the bench cannot feed is a fact like
 * others.
 * @param bytes of the file
 * @param fileName for the words about a file that is not a model
 * @returns the facts
 * @throws ModelError `not-onnx`
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * readLoadFacts(channelMeansClassifier()).externalFiles; // => []
 */
export function readLoadFacts(bytes: Uint8Array, fileName = 'model'): LoadFacts {
  return loadFacts(decodeDescription(bytes, fileName));
}

/** Messages within messages, as deep as ONNX Runtime's own reader goes: three for each If, Loop or Scan. */
const deepestMessage = 100;

/** Decodes a model for reading alone: what the schema here does not name is left out. @throws ModelError `not-onnx` */
export function decodeDescription(bytes: Uint8Array, fileName = 'model'): ModelProto & { graph: GraphProto } {
  const notOnnx = (reason: string, options?: ErrorOptions) =>
    new ModelError('not-onnx', `This is not an ONNX model. ${reason}`, options);
  if (bytes.length === 0) throw notOnnx('The file is empty.');
  const kind = guessFileKind(bytes, fileName);
  if (kind !== '') throw notOnnx(`It looks like ${kind}.`);
  const kindByName = guessKindByName(fileName);
  const byName = kindByName && `Its name is that of ${kindByName}.`;
  let model: ModelProto;
  try {
    // Unknown fields are where the weights of typed payloads are: not kept.
    model = fromBinary(ModelProtoSchema, bytes, { readUnknownFields: false, recursionLimit: deepestMessage });
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('recursion depth'))
      throw new ModelError(
        'unsupported-operator',
        'Its If, Loop or Scan nodes lie deeper in each other than ONNX Runtime reads (about 30 deep). Export it without that nesting, for instance with constants folded.',
        { cause },
      );
    // An ONNX file begins with field 1, the IR version, as a varint.
    const reason =
      bytes[0] === 0x08
        ? 'It begins like one, but is cut short or damaged: copy or download it again.'
        : 'Its bytes mean nothing to us: give an .onnx or a .tflite file.';
    throw notOnnx(byName || reason, { cause });
  }
  const { graph } = model;
  if (graph === undefined || graph.output.length === 0) {
    throw notOnnx(byName || 'It has no graph: it may be cut short, or a file in a similar format.');
  }
  return model as ModelProto & { graph: GraphProto };
}

function tensorInfo({ name, type }: ValueInfoProto): TensorInfo | undefined {
  const tensor = type?.value.case === 'tensorType' ? type.value.value : undefined;
  const dtype = tensor && dtypeOf(tensor.elemType);
  if (tensor === undefined || dtype === undefined) return undefined;
  const dims = tensor.shape?.dim ?? [];
  return {
    name,
    dtype,
    // Exporters write 0 and -1 where they mean "any".
    shape: dims.map(({ value }) => (value.case === 'dimValue' && value.value > 0n ? Number(value.value) : -1)),
    symbols: dims.map(({ value }) => (value.case === 'dimParam' && value.value !== '' ? value.value : null)),
  };
}
