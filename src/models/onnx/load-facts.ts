import {
  TensorProto_DataLocation as DataLocation,
  TensorProto_DataType as OnnxType,
  type FunctionProto,
  type GraphProto,
  type ModelProto,
  type NodeProto,
  type OperatorSetIdProto,
  type TensorShapeProto,
  type TypeProto,
  type ValueInfoProto,
} from '../../gen/onnx_pb.ts';
import { dtypeOf } from './dtypes.ts';
import { graphsOf, nodesOf } from './graph-walk.ts';
import { roundedConvolutions } from './rounded-convolutions.ts';
import { refusedGrids, type RefusedGrids } from './grid-samples.ts';
import { signedConvolutions } from './unsign-convolutions.ts';

/** What a runtime decides on when it loads a model. Survives structured cloning. */
export interface LoadFacts {
  readonly irVersion: number;
  /** by domain, '' = ai.onnx; of two entries for one domain the newer */
  readonly opsets: Readonly<Record<string, number>>;
  /** the same of the model's own functions, called or not */
  readonly functionOpsets: Readonly<Record<string, number>>;
  /** without those that an initializer fills */
  readonly inputs: readonly BoundaryValue[];
  readonly outputs: readonly BoundaryValue[];
  /** every operator that is called, each once: in subgraphs and in the functions that are called, too */
  readonly operators: readonly OperatorUse[];
  /** the model's own functions that can be called */
  readonly functions: readonly OperatorUse[];
  /** functions that are called and do not say which version of a domain they use */
  readonly functionsWithoutOpset: readonly (OperatorUse & { readonly lacking: string })[];
  /** integer convolutions with int8 weights */
  readonly signedConvolutions: number;
  /** quantised convolutions that the machine's runtime and the bench's round differently */
  readonly roundedConvolutions: number;
  /** samplings whose mode or types the runtime does not have */
  readonly refusedGrids: RefusedGrids;
  /** files beside the model that hold weights */
  readonly externalFiles: readonly string[];
}

export interface OperatorUse {
  /** '' = ai.onnx */
  readonly domain: string;
  readonly name: string;
}

/** An input or output as it is declared, of whatever type. */
export interface BoundaryValue {
  readonly name: string;
  /** 'undeclared': the runtime infers it */
  readonly kind: 'tensor' | 'sequence' | 'map' | 'sparse tensor' | 'optional' | 'undeclared';
  /** type of a tensor: named as TensorDtype names it, else ONNX's name in small letters (bfloat16, int4); '' for all else */
  readonly dtype: string;
  /** shape of a tensor; -1 = any size, null = not even the number of axes is known */
  readonly shape: readonly number[] | null;
}

export function loadFacts(model: ModelProto & { graph: GraphProto }): LoadFacts {
  const { graph } = model;
  // A runtime looks for names of the default domain among its own operators alone.
  const own = model.functions.filter(({ domain }) => canonical(domain) !== '');
  const functions = new Map(own.map((body) => [keyOf(body.domain, body.name), body]));
  const called = calledFunctions(nodesOf(graph), functions);
  const nodes = [...nodesOf(graph), ...called.flatMap(nodesOf)];
  const filled = new Set(graph.initializer.map(({ name }) => name));
  return {
    irVersion: Number(model.irVersion),
    opsets: newestOpsets(model.opsetImport),
    functionOpsets: newestOpsets(model.functions.flatMap(({ opsetImport }) => opsetImport)),
    inputs: graph.input.filter(({ name }) => !filled.has(name)).map(boundaryValue),
    outputs: graph.output.map(boundaryValue),
    operators: unique(nodes.map(({ domain, opType }) => ({ domain: canonical(domain), name: opType }))),
    functions: own.map(({ domain, name }) => ({ domain, name })),
    functionsWithoutOpset: called.flatMap(withoutOpset),
    signedConvolutions: signedConvolutions(graph),
    roundedConvolutions: roundedConvolutions(graph),
    refusedGrids: refusedGrids(graph, newestOpsets(model.opsetImport)[''] ?? 1),
    externalFiles: externalFilesOf(graph),
  };
}

function boundaryValue({ name, type }: ValueInfoProto): BoundaryValue {
  return { name, ...typeOf(type) };
}

function typeOf(type: TypeProto | undefined): Omit<BoundaryValue, 'name'> {
  const other = (kind: BoundaryValue['kind']) => ({ kind, dtype: '', shape: null });
  switch (type?.value.case) {
    case undefined:
      return other('undeclared');
    case 'tensorType': {
      const { elemType, shape } = type.value.value;
      return { kind: 'tensor', dtype: dtypeName(elemType), shape: sizesOf(shape) };
    }
    case 'sequenceType':
      return other('sequence');
    case 'mapType':
      return other('map');
    case 'sparseTensorType':
      return other('sparse tensor');
    case 'optionalType':
      return other('optional');
  }
}

function dtypeName(elemType: number): string {
  const dtype = dtypeOf(elemType);
  if (dtype !== undefined) return dtype;
  const name = Object.entries(OnnxType).find(([, type]) => type === elemType)?.[0];
  return name?.toLowerCase() ?? `type ${elemType}`;
}

function sizesOf(shape: TensorShapeProto | undefined): readonly number[] | null {
  return shape
    ? shape.dim.map(({ value }) => (value.case === 'dimValue' && value.value >= 0n ? Number(value.value) : -1))
    : null;
}

/** Functions that a graph reaches, also through one another. */
function calledFunctions(
  nodes: readonly NodeProto[],
  functions: ReadonlyMap<string, FunctionProto>,
): readonly FunctionProto[] {
  const called = new Set<FunctionProto>();
  const follow = (callers: readonly NodeProto[]): void => {
    for (const { domain, opType } of callers) {
      const body = functions.get(keyOf(domain, opType));
      if (body === undefined || called.has(body)) continue;
      called.add(body);
      follow(nodesOf(body));
    }
  };
  follow(nodes);
  return [...called];
}

function withoutOpset(body: FunctionProto): LoadFacts['functionsWithoutOpset'] {
  const given = newestOpsets(body.opsetImport);
  const used = new Set(nodesOf(body).map(({ domain }) => canonical(domain)));
  const lacking = [...used].filter((domain) => !(domain in given));
  return lacking.map((domain) => ({ domain: canonical(body.domain), name: body.name, lacking: domain }));
}

function newestOpsets(imports: readonly OperatorSetIdProto[]): Record<string, number> {
  const opsets: Record<string, number> = {};
  for (const { domain, version } of imports) {
    const key = canonical(domain);
    opsets[key] = Math.max(opsets[key] ?? 0, Number(version));
  }
  return opsets;
}

function externalFilesOf(graph: GraphProto): string[] {
  const constants = nodesOf(graph).flatMap(({ attribute }) =>
    attribute.flatMap(({ t, tensors }) => [...(t ? [t] : []), ...tensors]),
  );
  const files = [...graphsOf(graph).flatMap(({ initializer }) => initializer), ...constants]
    .filter(({ dataLocation }) => dataLocation === DataLocation.EXTERNAL)
    .map((tensor) => tensor.externalData.find(({ key }) => key === 'location')?.value ?? '(unnamed)');
  return [...new Set(files)];
}

function unique(uses: readonly OperatorUse[]): readonly OperatorUse[] {
  return [...new Map(uses.map((use) => [keyOf(use.domain, use.name), use])).values()];
}

function keyOf(domain: string, name: string): string {
  return `${canonical(domain)}:${name}`;
}

/** The default domain has two names. */
function canonical(domain: string): string {
  return domain === 'ai.onnx' ? '' : domain;
}
