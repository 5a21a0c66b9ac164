import type { GraphProto, ModelProto } from '../../../gen/onnx_pb.ts';
import { dtypeOf, GraphBuilder, type GraphWriter, onnxType, renameTensor } from '../../onnx/face/model-files.ts';
import { mendGrids, pruneGraph, raiseOpset, tensorNames, unsignConvolutions } from '../../onnx/face/graphs.ts';
import { detailNames } from '../../../machine/vision/face/results.ts';
import { detailOutputs } from '../attach/details.ts';
import { onnxEnds } from '../attach/onnx-ends.ts';
import type { Attached, Family, Head, Preprocessing, Recognition } from '../structure/family.ts';
import type { InputSize } from '../structure/input-size.ts';
import { FitError } from '../structure/fit-error.ts';
import type { Picture } from '../structure/model-structure.ts';
import { readOptions, type OptionValues } from '../structure/options.ts';
import { addPrologue, type Feeding, type Prologue } from './prologue.ts';

export interface Rewrite {
  readonly family: Family;
  readonly recognition: Recognition;
  readonly picture: Picture;
  readonly size: InputSize;
  readonly preprocessing: Preprocessing;
  readonly options: OptionValues;
}

export interface Rewritten {
  readonly attached: Attached;
  readonly feeding: Feeding;
  readonly added: readonly string[];
}

type Model = ModelProto & { graph: GraphProto };

/** Names that the machine or the bench knows, and that nothing else in the graph may have. */
const machineNames = ['image', 'location', 'category', 'score', 'probability', ...Object.values(detailNames)];

/** Gives the model the machine's boundary: what must happen before the network, the network, the family's decoding. */
export function rewriteGraph(model: Model, rewrite: Rewrite): Rewritten {
  const { family, recognition, picture, size, preprocessing, options } = rewrite;
  const { graph } = model;
  const removed = pruneGraph(graph, recognition.outputsOf?.(options) ?? recognition.outputs);
  const unsigned = unsignConvolutions(graph);
  const raisedFrom = family.kind === 'detections' ? raisedOpset(model) : null;
  const versions = versionsOf(model);
  const mendedGrids = mendGrids(graph, versions.opset);
  const build = new GraphBuilder(graph, versions);
  const sources = new Map(graph.output.map(({ name, type }) => [name, { name, type }]));
  const renamed = freeMachineNames(graph, build);
  const nameOf = (name: string) => renamed.get(name) ?? name;
  // Sizes that were symbolic are fixed now; what the file says of tensors inside may contradict them.
  graph.valueInfo = [];
  graph.output = [];

  const inputs = graph.input.splice(0);
  const weights = new Set(graph.initializer.map(({ name }) => name));
  const network = graph.node.splice(0);
  const prologue = addPrologue(build, picture, size, preprocessing, options['letterbox'] === 'pad');
  const [first, ...others] = inputs.filter(({ name }) => !weights.has(name));
  const fills = recognition.fills?.(size) ?? {};
  const constants = others.map(({ name }) => {
    const sourceName = [...renamed].find(([, to]) => to === name)?.[0] ?? name;
    const fill = fills[sourceName];
    if (!fill)
      throw new FitError(
        'not-this-family',
        `The model's input "${sourceName}" has no value that ${family.name} would give it.`,
      );
    return { from: name, sourceName, to: build.constant(fill.dtype, fill.shape, fill.data) };
  });
  graph.node.push(...network);
  renameTensor(graph, first!.name, prologue.picture);
  for (const { from, to } of constants) renameTensor(graph, from, to);
  // Before IR version 4 weights are inputs, too.
  if (versions.irVersion < 4) graph.input.push(...inputs.filter(({ name }) => weights.has(name)));

  const attached = recognition.attach(
    headOf(build, size, options, (name) => {
      const { type } = sources.get(name)!;
      const dtype = type?.value.case === 'tensorType' ? dtypeOf(type.value.value.elemType) : undefined;
      return dtype === 'float32'
        ? nameOf(name)
        : build.add('Cast', [nameOf(name)], { to: { int: onnxType('float32') } });
    }),
  );
  declareOutputs(build, attached, prologue, Number(options['maxDetections']));
  return {
    attached,
    feeding: prologue.feeding,
    added: [
      ...(raisedFrom === null ? [] : [`the forms of opset ${versions.opset} in place of those of opset ${raisedFrom}`]),
      ...(unsigned > 0
        ? [`the int8 weights of ${unsigned} convolutions as uint8, which the machine's runtime has`]
        : []),
      ...(mendedGrids > 0 ? [`the modes or types of ${mendedGrids} samplings as the machine's runtime has them`] : []),
      ...prologue.added,
      ...constants.map(({ sourceName }) => `a constant for the input "${sourceName}", which the machine does not fill`),
      ...describeEnd(attached, options),
      ...(removed > 0 ? [`nothing of ${removed} nodes that only outputs left out need`] : []),
    ],
  };
}

/** The end of an ONNX graph. */
export function headOf(build: GraphBuilder, size: InputSize, options: OptionValues, output: Head['output']): Head {
  return { build, ends: onnxEnds, size, output, ...readOptions(options) };
}

/** The operator set that a model had whose operators are too old for suppression; null for one that stays as it is. */
function raisedOpset(model: Model): number | null {
  const { opset } = versionsOf(model);
  try {
    raiseOpset(model);
  } catch (cause) {
    throw new FitError(
      'opset-too-old',
      `The model uses opset ${opset}, which cannot be raised to one with suppression. ${(cause as Error).message} Export it with opset_version 11 or higher.`,
      { cause },
    );
  }
  return versionsOf(model).opset === opset ? null : opset;
}

function versionsOf(model: Model) {
  const opset = model.opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version ?? 1n;
  return { opset: Number(opset), irVersion: Number(model.irVersion) };
}

/** Other tensors that have one of the machine's names get another. Returns the new names by the old. */
function freeMachineNames(graph: GraphProto, build: GraphBuilder): ReadonlyMap<string, string> {
  const taken = tensorNames(graph);
  const renamed = new Map<string, string>();
  for (const name of machineNames.filter((candidate) => taken.has(candidate))) {
    renamed.set(name, build.freshName(`source_${name}`));
    renameTensor(graph, name, renamed.get(name)!);
  }
  return renamed;
}

function declareOutputs(build: GraphBuilder, attached: Attached, { ontoFrame }: Prologue, maxDetections: number): void {
  if (attached.kind === 'classifications') {
    build.output('probability', attached.probability, 'float32', [1, attached.classCount]);
    return;
  }
  const location = ontoFrame ? ontoFrame(attached.location) : attached.location;
  const rows = attached.rows ?? maxDetections;
  build.output('location', clipped(build, location), 'float32', [1, rows, 4]);
  build.output('category', attached.category, 'float32', [1, rows]);
  build.output('score', attached.score, 'float32', [1, rows]);
  for (const { name, tensor, shape } of detailOutputs({ build }, attached, rows, ontoFrame))
    build.output(name, tensor, 'float32', shape);
}

/** Within 0..1, the first corner a little below 1: the machine takes boxes whose first one sums to 4 for pixels. */
export function clipped(build: GraphWriter, location: string): string {
  const below = 1 - 2 ** -20;
  const most = build.add('Min', [location, build.floats([4], [below, below, 1, 1])]);
  return build.add('Max', [most, build.floats([], [0])]);
}

/** What the end of the graph does, in words. */
export function describeEnd(attached: Attached, options: OptionValues): readonly string[] {
  if (attached.kind === 'detections' && attached.rows !== undefined) return [];
  if (attached.kind === 'classifications') return [`the output "probability" of ${attached.classCount} classes`];
  const suppression =
    'iouThreshold' in options
      ? [`suppression of boxes of one class that overlap by more than ${options['iouThreshold']}`]
      : [];
  return [
    'decoding to corners ymin, xmin, ymax, xmax, proportional to the picture',
    ...suppression,
    `exactly ${options['maxDetections']} rows "location", "category" and "score", best first; rows of score 0 stand for none`,
    ...(attached.details
      ? [`the ${attached.details.kind} of these rows, which the bench draws and the machine ignores`]
      : []),
  ];
}
