import type { NodeProto } from '../../gen/onnx_pb.ts';
import { operatorName } from '../onnx/face/graphs.ts';
import type { Tensor, TensorDtype } from '../../machine/vision/face/feeding.ts';
import type { RoundingBound } from './first-difference.ts';
import { sizeOf } from './tensor-difference.ts';

/** What a bound is made of. */
export interface RoundedNode {
  readonly node: NodeProto;
  /** values by place of input, null where none is known (an input left out, or inside a part) */
  readonly inputs: readonly (Tensor | null)[];
  readonly output: Tensor;
  /** whether either side computes in float16 */
  readonly isHalf: boolean;
}

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Operators that move values, choose among them or compare them: no rounding at all, on any device. */
const moving = names(`
  Reshape Transpose Slice Gather GatherElements GatherND Concat Split Squeeze Unsqueeze Flatten Identity Cast CastLike Expand Tile Pad
  DepthToSpace SpaceToDepth Relu Clip Max Min Abs Neg Sign Floor Ceil Round Not And Or Xor Equal Greater Less GreaterOrEqual LessOrEqual
  Where MaxPool GlobalMaxPool ReduceMax ReduceMin ArgMax ArgMin Shape Size ConstantOfShape NonZero OneHot Range ScatterElements ScatterND
  Trilu ReverseSequence EyeLike IsNaN IsInf Mod BitShift Compress NonMaxSuppression`);
const arithmetic = names(
  'Add Sub Mul Div Sqrt Reciprocal PRelu LeakyRelu ThresholdedRelu HardSigmoid HardSwish Sum Mean',
);
const transcendental = names(`
  Exp Log Sigmoid Tanh Erf Softmax LogSoftmax Softplus Softsign Elu Celu Selu Gelu FastGelu QuickGelu BiasGelu Mish Swish Silu Pow Sinh
  Cosh Asinh Acosh Atanh ReduceLogSum ReduceLogSumExp`);
const trigonometric = names('Sin Cos Tan Asin Acos Atan');
const summing = names(`
  Conv ConvTranspose FusedConv MatMul FusedMatMul Gemm FusedGemm Einsum AveragePool GlobalAveragePool LpPool GlobalLpPool ReduceSum
  ReduceMean ReduceSumSquare ReduceL1 ReduceL2 ReduceProd CumSum LRN Conv2d`);
const normalising = names(`
  BatchNormalization LayerNormalization InstanceNormalization GroupNormalization SimplifiedLayerNormalization
  SkipLayerNormalization RMSNormalization LpNormalization MeanVarianceNormalization`);
const sampling = names('Resize Upsample GridSample RoiAlign AffineGrid DeformConv');
const toSteps = names(
  'QuantizeLinear DynamicQuantizeLinear QLinearConv QLinearMatMul QLinearAdd QLinearMul QLinearGlobalAveragePool QLinearAveragePool QLinearSigmoid QLinearLeakyRelu QLinearConcat QLinearSoftmax QGemm',
);
const sorting = names('TopK Unique');
const random = names('RandomNormal RandomNormalLike RandomUniform RandomUniformLike Multinomial Bernoulli');

const wholeNumbers: ReadonlySet<TensorDtype> = new Set([
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'bool',
]);
/** The least normal float32: a device may take smaller ones for 0. */
const tiny = 2 ** -126;

/**
 * Gives what a node of its kind may round where both sides are fed the same, from the two sizes that count: the unit of the
 * type (2⁻²⁴ of float32, 2⁻¹¹ of float16) and, for sums, how many products are added.
 *
 * - Moving and comparing: nothing but a denormal that a device takes for 0.
 * - Arithmetic: IEEE 754 rounds to half a unit; WGSL allows a division 2.5 of them.
 * - Sums: by Cauchy-Schwarz no partial sum of n products exceeds n·rms(x)·rms(w); in another order the n roundings walk √n
 *   units of that apart. Eight of them are allowed. float16 is summed in pieces of float32 or of its own: 2 units of that size.
 * - Transcendental functions: WGSL allows exp 3 + 2·|x| units and tanh 10⁻⁵; CPU kernels are polynomials of about 10⁻⁶. Of sine
 *   and cosine WGSL asks 2⁻¹¹.
 * - Normalisation: sums, and a division by a spread that may be small beside the values.
 * - Sampling: places are rounded to a unit of the picture's width; nearest values may swap at ties, at most one in a hundred.
 * - Quantised results: one step. Whole numbers elsewhere: nothing.
 * - Control nodes (If, Loop, Scan), recurrent ones, attention and operators of other domains, as one: one thousandth of the largest value.
 * @returns null for what is random: nothing can be said of it
 */
export function roundingBound(rounded: RoundedNode): RoundingBound | null {
  const { node, output, isHalf } = rounded;
  const kind = node.domain === 'com.microsoft' ? node.opType : operatorName(node.domain, node.opType);
  const unit = isHalf ? 2 ** -11 : output.dtype === 'float64' ? 2 ** -53 : 2 ** -24;
  const inWords = isHalf ? 'float16' : output.dtype;
  const bound = (absolute: number, relative: number, because: string, outliers = 0): RoundingBound => ({
    absolute: Math.max(tiny, absolute),
    relative,
    outliers,
    because,
  });
  if (random.has(kind)) return null;
  if (toSteps.has(kind)) {
    return wholeNumbers.has(output.dtype)
      ? bound(1, 0, 'one step of a quantised result')
      : bound(0, 8 * unit, `scale of a quantised result in ${inWords}`);
  }
  if (sorting.has(kind)) return bound(0, 2 * unit, 'order of equal values', wholeNumbers.has(output.dtype) ? 0.05 : 0);
  if (wholeNumbers.has(output.dtype)) return bound(0, 0, 'whole numbers');
  if (moving.has(kind)) return bound(0, isHalf ? 2 * unit : 0, `moved values in ${inWords}`);
  const known = rounded.inputs.filter((tensor) => tensor !== null).map(sizeOf);
  const largestIn = Math.max(0, ...known.map(({ largest }) => largest));
  if (arithmetic.has(kind) || kind === 'DequantizeLinear') {
    return bound(
      2 * unit * largestIn * (kind === 'Div' || kind === 'Mul' ? 0 : 1),
      8 * unit,
      `arithmetic in ${inWords}`,
    );
  }
  if (trigonometric.has(kind)) return bound(2 ** -10, 16 * unit, 'trigonometric function of WGSL');
  if (transcendental.has(kind)) {
    const grows = kind === 'Exp' || kind === 'Pow' ? 2 * Math.min(largestIn, 128) : 0;
    const scale = Math.max(1, kind.endsWith('elu') || kind.endsWith('Gelu') ? largestIn : 1);
    return bound(Math.max(1e-5, 4 * unit) * scale, (64 + 2 * grows) * unit, `transcendental function in ${inWords}`);
  }
  if (summing.has(kind)) {
    const length = sumLength(rounded);
    const [x, w] = [known[0]?.rms ?? 1, isProduct(kind) ? (known[1]?.rms ?? 1) : known.length > 0 ? 1 / length : 1];
    const factor = isProduct(kind)
      ? w
      : kind.startsWith('Reduce') && kind !== 'ReduceMean'
        ? 1
        : kind === 'CumSum'
          ? 1
          : w;
    const most = length * x * factor + (known[2]?.largest ?? 0);
    const units = isHalf ? 2 : 8 * Math.sqrt(length);
    return bound(
      units * unit * most,
      8 * unit,
      `sum of ${length} ${isProduct(kind) ? 'products' : 'values'} in ${inWords}`,
    );
  }
  const { largest } = sizeOf(output);
  if (normalising.has(kind)) {
    const x = known[0] ?? { largest: 1, rms: 1, spread: 1 };
    const steep =
      kind === 'BatchNormalization' ? steepest(rounded) * x.largest : (x.largest / Math.max(x.spread, 1e-3)) * 4;
    return bound(64 * unit * (largest + steep), 64 * unit, `normalisation in ${inWords}`);
  }
  if (sampling.has(kind)) {
    const widest = Math.max(1, ...output.shape);
    const mode = node.attribute.find(({ name }) => name === 'mode')?.s;
    const isNearest = kind !== 'GridSample' && (mode === undefined || String.fromCharCode(...mode) === 'nearest');
    return isNearest
      ? bound(0, 2 * unit, 'ties between nearest values', 0.01)
      : bound(64 * unit * widest * (known[0]?.largest ?? 1), 64 * unit, `places among ${widest} in ${inWords}`);
  }
  return bound(Math.max(1e-3, 8 * unit) * largest, Math.max(1e-3, 8 * unit), `${kind}, as one`);
}

const products = names('Conv ConvTranspose FusedConv MatMul FusedMatMul Gemm FusedGemm Einsum Conv2d');
function isProduct(kind: string): boolean {
  return products.has(kind);
}

/** How many values one result adds up. */
function sumLength({ node, inputs, output }: RoundedNode): number {
  const [x, w] = inputs;
  const sizes = (tensor: Tensor | null | undefined) => tensor?.shape ?? [];
  const product = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);
  switch (node.opType) {
    case 'Conv':
    case 'FusedConv':
      return Math.max(1, product(sizes(w).slice(1)));
    case 'ConvTranspose':
      return Math.max(1, sizes(w)[0] ?? 1) * Math.max(1, product(sizes(w).slice(2)));
    case 'Gemm':
    case 'FusedGemm':
    case 'Einsum':
    case 'CumSum':
      return Math.max(1, ...sizes(x));
    case 'MatMul':
    case 'FusedMatMul':
      return Math.max(1, sizes(x).at(-1) ?? 1);
    case 'AveragePool':
    case 'LpPool':
    case 'LRN':
      return Math.max(1, product(node.attribute.find(({ name }) => name === 'kernel_shape')?.ints.map(Number) ?? [9]));
    default:
      return Math.max(1, Math.round(product(sizes(x)) / Math.max(1, product(output.shape))));
  }
}

/** Largest factor of a batch normalisation: scale / √variance of a channel. */
function steepest({ inputs }: RoundedNode): number {
  const [, scale, , , variance] = inputs;
  if (!scale || !variance) return 1;
  let most = 0;
  for (let k = 0; k < scale.data.length; k++) {
    most = Math.max(most, Math.abs(Number(scale.data[k])) / Math.sqrt(Math.max(1e-5, Number(variance.data[k]))));
  }
  return most;
}

/** A layer that is computed in int8 keeps so much of the signal at least: 20 dB. Good ones keep 30 to 40. */
const quantisedShare = 0.1;

/**
 * Gives what a layer may lose where one file is quantised and the other is not: not rounding of one operation but of weights,
 * inputs and results to 256 steps. A tenth of the root mean square of the result, ten times that for single values.
 */
export function quantisedBound(output: Tensor): RoundingBound {
  const { rms } = sizeOf(output);
  return {
    absolute: 4 * quantisedShare * rms,
    relative: quantisedShare,
    outliers: 0.01,
    because: 'weights and values in 256 steps',
  };
}

/** Bounds of several nodes in one part, added up: each rounds, and the next carries it on. */
export function addedUp(bounds: readonly RoundingBound[]): RoundingBound {
  if (bounds.length === 1) return bounds[0]!;
  const sum = (of: (bound: RoundingBound) => number) => bounds.reduce((total, bound) => total + of(bound), 0);
  return {
    absolute: sum(({ absolute }) => absolute),
    relative: sum(({ relative }) => relative),
    outliers: Math.max(...bounds.map(({ outliers }) => outliers)),
    because: [...new Set(bounds.map(({ because }) => because))].join(', '),
  };
}
