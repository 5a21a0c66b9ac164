import { GraphBuilder, onnxType } from '../onnx/face/model-files.ts';
import type { TensorInfo } from '../../machine/vision/face/feeding.ts';
import type { Preprocessing } from './structure/family.ts';
import type { InputSize } from './structure/input-size.ts';
import type { FitRequest } from './source/fit-request.ts';
import { prepareFit } from './prepare-fit.ts';
import { headOf } from './source/rewrite-graph.ts';

/** What a detector's fitting puts behind its network, as a model of its own: its choices are seen without running the network. */
export interface DecodingAlone {
  /** inputs "output 0", "output 1" …; outputs `location` (not clipped), `category` and `score`, as the fitted model has them */
  readonly model: Uint8Array<ArrayBuffer>;
  /** the network's outputs for those inputs */
  readonly reads: readonly string[];
  readonly size: InputSize;
  readonly preprocessing: Preprocessing;
  /** the frame is fitted into the input with its proportions kept; else it is stretched */
  readonly isPadded: boolean;
}

/**
 * Writes the decoding alone, as `fitModel` would attach it to the model.
 * @param bytes an ONNX or TensorFlow Lite file
 * @param request as for `fitModel`
 * @returns a model from raw outputs to boxes; null: the model is a classifier
 * @throws as `fitModel`
 * @example
 * decodingAlone(Uint8Array.of(1, 2, 3), {}); // throws: Error
 */
export function decodingAlone(bytes: Uint8Array, request: FitRequest): DecodingAlone | null {
  const { structure, candidates, size, options, preprocessing } = prepareFit(bytes, request);
  const [{ recognition }] = candidates;
  const reads = [...new Set(recognition.outputsOf?.(options) ?? recognition.outputs)];
  const build = new GraphBuilder();
  const tensors = new Map(
    reads.map((name, at) => {
      const output = structure.outputs.find((one) => one.name === name)!;
      const sizes = output.shape.map((length, axis) => (length === -1 ? `size ${at} ${axis}` : length));
      const input = build.input(`output ${at}`, output.dtype, sizes);
      return [name, asFloat(build, input, output)];
    }),
  );
  const attached = recognition.attach(headOf(build, size, options, (name) => tensors.get(name)!));
  if (attached.kind === 'classifications') return null;
  const rows = Number(options['maxDetections']);
  build.output('location', attached.location, 'float32', [1, rows, 4]);
  build.output('category', attached.category, 'float32', [1, rows]);
  build.output('score', attached.score, 'float32', [1, rows]);
  return {
    model: build.build({ graphName: 'decoding', producer: 'sightglass', opset: build.versions.opset }),
    reads,
    size,
    preprocessing,
    isPadded: options['letterbox'] === 'pad',
  };
}

/** The numbers that a tensor stands for, as the bench gives its values as they are stored. */
function asFloat(build: GraphBuilder, tensor: string, { dtype, quantization }: TensorInfo): string {
  if (dtype === 'float32') return tensor;
  const numbers = build.add('Cast', [tensor], { to: { int: onnxType('float32') } });
  const [scale] = quantization?.scale ?? [];
  if (scale === undefined) return numbers;
  const centred = build.add('Sub', [numbers, build.floats([], [quantization?.zeroPoint[0] ?? 0])]);
  return build.add('Mul', [centred, build.floats([], [scale])]);
}
