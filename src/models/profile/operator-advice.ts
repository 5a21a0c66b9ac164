import type { NodeShare, OperatorShare, OperatorTimes } from './operator-times.ts';

/** What a person may do about where a model's time goes. */
export interface Advice {
  /** "This model spends 61 % in Resize." */
  readonly title: string;
  /** the advice; '' = nothing is known that helps */
  readonly words: string;
}

interface Kind {
  readonly operators: readonly string[];
  readonly words: string;
}

/** Operators that are slow for one reason. */
const kinds: readonly Kind[] = [
  {
    operators: ['Conv', 'FusedConv', 'NhwcFusedConv', 'ConvTranspose', 'QLinearConv', 'ConvInteger'],
    words:
      'That is the work itself. It grows with the area of the input: exported at half the width and height, the model takes about a quarter of it.',
  },
  {
    operators: [
      'MatMul',
      'FusedMatMul',
      'Gemm',
      'FusedGemm',
      'MatMulInteger',
      'QLinearMatMul',
      'Attention',
      'MultiHeadAttention',
    ],
    words:
      'That is the work itself. It grows with the size of the input: a model exported for smaller pictures has less of it.',
  },
  {
    operators: ['Resize', 'Upsample', 'GridSample'],
    words:
      'It scales pictures inside the model. Where that is its input, export the model without it: the machine stretches every frame to the size of the input. Between layers, scaling to the nearest pixel costs the least.',
  },
  {
    operators: ['Transpose'],
    words:
      'It only moves numbers, and is mostly left over from a conversion: tf2onnx writes fewer of them with --inputs-as-nchw, and onnxsim joins those that undo each other.',
  },
  {
    operators: ['Cast'],
    words:
      'It turns numbers into another type, as where weights are float16 and the CPU computes in float32. The float32 file of the model has none of them.',
  },
  {
    operators: ['QuantizeLinear', 'DequantizeLinear', 'DynamicQuantizeLinear'],
    words:
      'It goes to and fro between whole numbers and floats, around operators that are not quantized. The float file of the model may be faster here.',
  },
  {
    operators: ['NonMaxSuppression', 'TopK', 'NonZero', 'Sort', 'RoiAlign'],
    words:
      'It picks boxes at the end of the model. A higher score threshold or fewer boxes, where the export sets them, leave it less to compare.',
  },
  {
    operators: [
      'Add',
      'Sub',
      'Mul',
      'Div',
      'Pow',
      'Sqrt',
      'Exp',
      'Erf',
      'Sigmoid',
      'Tanh',
      'Softplus',
      'Clip',
      'HardSigmoid',
      'HardSwish',
      'LeakyRelu',
      'Relu',
      'QuickGelu',
      'Where',
    ],
    words:
      'They work number by number, and wait for memory more than they compute. In a simplified graph (onnxsim), or one exported with a newer opset, several of them are one.',
  },
];

/** A kind of operator, or a single one, is worth words from here on. */
const muchShare = 0.25;
const mostTold = 3;
/** Shares from which one node is worth words; and what the CPU does for a model on the GPU. */
const muchOfOneNode = 0.3;
const muchOnCpu = 0.1;

/** What stands out in a model's times, the largest first; [] where nothing does, or the runtime tells of no operator. */
export function operatorAdvice(
  { operators, nodes }: OperatorTimes,
  { backend, isIsolated }: { readonly backend: 'wasm' | 'webgpu'; readonly isIsolated: boolean },
): readonly Advice[] {
  const large = sharesByKind(operators).filter(({ share }) => share >= muchShare);
  const advice: Advice[] = large
    .slice(0, mostTold)
    .map(({ share, names, kind }) => ({
      title: `This model spends ${percent(share)} in ${listed(names)}.`,
      words: kind?.words ?? '',
    }));
  const slowest = nodes[0];
  if (slowest && slowest.share >= muchOfOneNode && slowest.node !== '' && !isAlone(slowest, operators))
    advice.push({ title: `One operator takes ${percent(slowest.share)}: ${slowest.node}.`, words: '' });
  const cpuShare = operators.filter(({ onGpu }) => !onGpu).reduce((sum, { share }) => sum + share, 0);
  if (backend === 'webgpu' && cpuShare >= muchOnCpu && cpuShare < 1)
    advice.push({
      title: `${percent(cpuShare)} of it runs on the CPU, though the model is on the GPU.`,
      words:
        'Those operators are none of the GPU’s, or are kept beside it for their small size. Each change of sides copies what goes between them.',
    });
  if (backend === 'wasm' && !isIsolated)
    advice.push({
      title: 'One thread runs it.',
      words: 'This page is not isolated. Served with the headers COOP and COEP, it runs models on half of the cores.',
    });
  return advice;
}

interface KindShare {
  readonly kind: Kind | null;
  readonly names: readonly string[];
  readonly share: number;
}

function sharesByKind(operators: readonly OperatorShare[]): KindShare[] {
  const shares = new Map<Kind | string, KindShare>();
  for (const { operator, share } of operators) {
    const kind = kinds.find((candidate) => candidate.operators.includes(operator)) ?? null;
    const before = shares.get(kind ?? operator) ?? { kind, names: [], share: 0 };
    const names = before.names.includes(operator) ? before.names : [...before.names, operator];
    shares.set(kind ?? operator, { kind, names, share: before.share + share });
  }
  return [...shares.values()].sort((a, b) => b.share - a.share);
}

/** The node is all that there is of its operator: it was told already. */
const isAlone = (node: NodeShare, operators: readonly OperatorShare[]): boolean =>
  operators.some(({ operator, onGpu, count }) => operator === node.operator && onGpu === node.onGpu && count === 1);

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const namesListed = 3;

function listed(names: readonly string[]): string {
  if (names.length > namesListed) return `${names.slice(0, namesListed).join(', ')} and the like`;
  return [names.slice(0, -1).join(', '), names.at(-1)!].filter(Boolean).join(' and ');
}
