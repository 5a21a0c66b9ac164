import { toBinary } from '@bufbuild/protobuf';
import { zipSync } from 'fflate';
import { TensorProtoSchema } from '../../gen/onnx_pb.ts';
import type { Tensor } from '../../machine/vision/face/feeding.ts';
import { decodeModel, tensorProto } from '../onnx/face/model-files.ts';
import { casePage } from './case-page.ts';
import type { CaseFacts, CaseFiles, CutOut, TensorPair, Tensors } from './first-difference.ts';
import { nameOf } from './words.ts';

/** A tensor's place in a case. The numbers are the last bytes of the file. */
export interface CaseTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly file: string;
}

/** What the page of a case reads, `case.json`. */
export interface CaseIndex extends CaseFacts {
  readonly nodes: readonly string[];
  readonly models: { readonly reference: string; readonly other: string };
  readonly inputs: readonly CaseTensor[];
  /** fed before in the same session; null: not needed */
  readonly earlier: readonly CaseTensor[] | null;
  readonly outputs: readonly (CaseTensor & {
    readonly other: string;
    readonly largest: number;
    readonly bound: string;
  })[];
}

/**
 * Writes a case: the part as a model of its own, what it was fed and what both sides gave, in the layout of ONNX's own node
 * tests (`model.onnx`, `test_data_set_0`), which upstream tools read; the facts; and a page that runs it again.
 * @param cutOut of what was found
 * @param facts where it was seen
 * @returns one zip of these files
 * @example
 * const feeds = { x: { dtype: 'float32', shape: [1], data: Float32Array.of(1) } };
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * const model = channelMeansClassifier();
 * const cutOut = { nodes: [], referenceModel: model, otherModel: model, feeds, earlierFeeds: null, outputs: [], worst: 0 };
 * const facts = { referenceName: 'A', otherName: 'B', versions: {}, ortVersion: '1.30.0', providers: { reference: 'wasm', other: 'webgpu' } };
 * import { unzipSync } from 'fflate';
 * Object.keys(unzipSync(caseZip(cutOut, facts))); // => ['model.onnx', 'case.json', 'README.md', 'index.html']
 */
export function caseZip(cutOut: CutOut, facts: CaseFacts): Uint8Array<ArrayBuffer> {
  return zipSync(caseFiles(cutOut, facts));
}

/** The files of a case by their path in the zip. */
export function caseFiles(cutOut: CutOut, facts: CaseFacts): CaseFiles {
  const { referenceModel, otherModel, nodes, outputs, feeds, earlierFeeds, worst } = cutOut;
  const isOne = sameBytes(referenceModel, otherModel);
  const files: Record<string, Uint8Array> = { 'model.onnx': referenceModel };
  if (!isOne) files['other/model.onnx'] = otherModel;
  const named = decodeModel(referenceModel).graph.input.map(({ name }) => name);
  const fed = [...named, ...Object.keys(feeds).filter((name) => !named.includes(name))];
  const write = (file: string, name: string, tensor: Tensor): CaseTensor => {
    files[file] = toBinary(TensorProtoSchema, tensorProto(name, tensor.dtype, tensor.shape, tensor.data));
    return { name, dtype: tensor.dtype, shape: tensor.shape, file };
  };
  const inputsIn = (folder: string, tensors: Tensors): CaseTensor[] =>
    fed.flatMap((name, k) => (tensors[name] ? [write(`${folder}/input_${k}.pb`, name, tensors[name])] : []));
  const index: CaseIndex = {
    ...facts,
    nodes: nodes.map(nameOf),
    models: { reference: 'model.onnx', other: isOne ? 'model.onnx' : 'other/model.onnx' },
    inputs: isOne && named.length === 0 ? [] : inputsIn('test_data_set_0', feeds),
    earlier: earlierFeeds && inputsIn('earlier', earlierFeeds),
    outputs: outputs.map((pair, k) => ({
      ...write(`test_data_set_0/output_${k}.pb`, pair.name, pair.reference),
      other: write(`other/output_${k}.pb`, pair.name, pair.other).file,
      largest: pair.difference.largest,
      bound: `${pair.bound.absolute} + ${pair.bound.relative}·|value| (${pair.bound.because})`,
    })),
  };
  const text = (words: string) => new TextEncoder().encode(words);
  // JSON knows no infinity, and a difference may be one.
  const json = JSON.stringify(index, (_, value: unknown) => (value === Infinity ? 'Infinity' : value), 2);
  files['case.json'] = text(json);
  files['README.md'] = text(readme(index, outputs[worst]));
  files['index.html'] = text(casePage(facts.ortVersion));
  return files;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function readme(index: CaseIndex, worst: TensorPair | undefined): string {
  const { nodes, referenceName, otherName, versions, ortVersion, models, earlier } = index;
  const difference = worst
    ? [
        `\`${worst.name}\`, ${worst.reference.dtype} [${worst.reference.shape.join(', ')}]: largest difference ${worst.difference.largest}`,
        `at [${worst.difference.at.join(', ')}], where ${referenceName} gives ${worst.difference.values[0]} and ${otherName} gives ${worst.difference.values[1]}.`,
        `${worst.difference.beyond} of ${worst.difference.count} values differ by more than ${index.outputs[0]?.bound ?? ''}.`,
      ].join('\n')
    : '';
  return `# ${nodes.at(-1) ?? 'A part of a model'}: ${otherName} differs from ${referenceName}

${difference}

Both were fed the same numbers${earlier ? ', after one run with other ones in the same session (`earlier`)' : ''}.

## What is here

- \`model.onnx\`: ${nodes.length === 1 ? 'the node' : `the ${nodes.length} nodes`} alone, with the weights that it uses: ${nodes.join(', ')}${models.other === 'model.onnx' ? '' : `; \`${models.other}\`: the same part of the other file`}
- \`test_data_set_0\`: inputs, and the outputs of ${referenceName}, as TensorProto, as ONNX's own node tests have them
- \`other\`: the outputs of ${otherName}
- \`case.json\`: types, shapes, versions
- \`index.html\`: runs it again

## To run it again

Put onnxruntime-web ${ortVersion} beside the page and serve the folder:

    npm pack onnxruntime-web@${ortVersion} && tar xzf onnxruntime-web-*.tgz && mv package/dist ort
    npx serve .

## Where it was seen

${Object.entries(versions)
  .map(([what, version]) => `- ${what}: ${version}`)
  .join('\n')}
`;
}
