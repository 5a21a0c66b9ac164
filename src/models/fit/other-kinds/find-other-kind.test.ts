import { describe, expect, it } from 'vitest';
import type { TensorDtype, TensorInfo } from '../../../machine/vision/tensor/tensor.ts';
import type { ModelStructure } from '../structure/model-structure.ts';
import { findOtherKind } from './find-other-kind.ts';

type Shape = readonly number[];

interface Told {
  /** shape of the input, channels first; default 1×3×256×256 */
  readonly input?: Shape;
  readonly operators?: readonly string[];
  readonly labels?: readonly string[] | null;
  readonly dtype?: TensorDtype;
}

const tensor = (name: string, dtype: TensorDtype, shape: Shape): TensorInfo => ({
  name,
  dtype,
  shape,
  symbols: shape.map(() => null),
});

function structure(
  outputs: readonly Shape[],
  { input = [1, 3, 256, 256], operators = [], labels = null, dtype = 'float32' }: Told = {},
): ModelStructure {
  const isPicture = input.length === 4 && input[1] === 3;
  return {
    inputs: [tensor('in', 'float32', input)],
    outputs: outputs.map((shape, at) => tensor(`out${at}`, dtype, shape)),
    opset: 13,
    producer: '',
    metadata: {},
    labels,
    picture: isPicture ? { layout: 'nchw', dtype: 'float32', heightPx: input[2]!, widthPx: input[3]! } : null,
    headOf: () => new Map(operators.map((operator) => [operator, 1])),
    layersOf: () => new Set(),
    factorsOf: () => [],
    partsOf: () => [],
    startOf: () => null,
    rangeOf: () => null,
    normalization: null,
  };
}

const open = [-1, 3, -1, -1];

describe('findOtherKind', () => {
  it.each<[what: string, id: string, outputs: readonly Shape[], told?: Told]>([
    ['persons by a vector (re-identification)', 'embedding', [[1, 256]], { input: [1, 3, 256, 128] }],
    ['faces by a vector of length 1', 'embedding', [[1, 500]], { operators: ['ReduceL2', 'Div'] }],
    ['the features of a MobileNet, of TFLite', 'embedding', [[1, 1, 1, 1024]], { input: [1, 3, 224, 224] }],
    ['DeepLab, scores', 'segmentation', [[1, 257, 257, 21]], { input: [1, 3, 257, 257] }],
    ['DeepLab, class numbers', 'segmentation', [[1, 513, 513]], { input: [1, 3, 513, 513], dtype: 'int64' }],
    ['class numbers without a batch', 'segmentation', [[256, 256]], { dtype: 'int64' }],
    ['a mask of a person', 'mask', [[1, 256, 256, 1]], { operators: ['Sigmoid'] }],
    ['U²-Net, seven masks', 'mask', [...Array(7).keys()].map(() => [1, 1, 256, 256]), { operators: ['Sigmoid'] }],
    ['PaddleOCR, where text is', 'mask', [[-1, 1, -1, -1]], { input: open, operators: ['Sigmoid'] }],
    ['MiDaS', 'depth', [[1, 256, 256]]],
    ['Depth Anything', 'depth', [[1, 518, 518]], { input: [1, 3, 518, 518], operators: ['Relu'] }],
    ['a style', 'picture', [[1, 256, 256, 3]], { operators: ['Tanh'] }],
    ['PatchCore', 'anomaly', [[1], [1, 1, 256, 256]]],
    [
      'PaddleOCR, what text says',
      'text-recognition',
      [[-1, -1, 6625]],
      { input: [-1, 3, 48, -1], operators: ['Softmax'] },
    ],
    ['LPRNet, without a batch', 'text-recognition', [[68, 18]], { input: [1, 3, 24, 94] }],
    ['LPRNet', 'text-recognition', [[1, 68, 18]], { input: [1, 3, 24, 94] }],
    ['CRNN', 'text-recognition', [[26, 1, 37]], { input: [1, 3, 32, 100] }],
    [
      'EAST',
      'text-detection',
      [
        [1, 1, 80, 80],
        [1, 5, 80, 80],
      ],
      { input: [1, 3, 320, 320], operators: ['Sigmoid'] },
    ],
    ['MoveNet of one person', 'key-points', [[1, 1, 17, 3]], { input: [1, 3, 192, 192] }],
    ['MoveNet of six', 'key-points', [[1, 6, 56]]],
    [
      'PoseNet',
      'key-points',
      [
        [1, 23, 31, 17],
        [1, 23, 31, 34],
      ],
      { input: [1, 3, 353, 481] },
    ],
    ['HRNet', 'key-points', [[1, 17, 64, 48]], { input: [1, 3, 256, 192] }],
    [
      '51 points of a face by maps and places, with features beside them',
      'key-points',
      [
        [1, 51, 64, 64],
        [1, 51, 2],
        [1, 256, 8, 8],
        [1, 8, 64, 64],
      ],
    ],
    [
      'RTMPose',
      'key-points',
      [
        [1, 17, 384],
        [1, 17, 512],
      ],
      { input: [1, 3, 256, 192] },
    ],
    [
      'a mesh of a face',
      'key-points',
      [
        [1, 1, 1, 1404],
        [1, 1, 1, 1],
      ],
      { input: [1, 3, 192, 192] },
    ],
    ['98 points of a face', 'key-points', [[1, 196]], { input: [1, 3, 112, 112] }],
    [
      'P-Net of MTCNN',
      'cascade-part',
      [
        [1, 2, -1, -1],
        [1, 4, -1, -1],
      ],
      { input: [1, 3, -1, -1] },
    ],
    [
      'O-Net of MTCNN',
      'cascade-part',
      [
        [-1, 2],
        [-1, 4],
        [-1, 10],
      ],
      { input: [-1, 3, 48, 48] },
    ],
    ['digits', 'no-picture', [[1, 10]], { input: [1, 1, 28, 28] }],
    ['sound', 'no-picture', [[1, 521]], { input: [1, 15600] }],
  ])('tells %s', (_, id, outputs, told) => {
    expect(findOtherKind(structure(outputs, told))?.id).toBe(id);
  });

  it('tells what is handed from frame to frame', () => {
    const model = structure([[1, 40, 4]]);
    const inputs = [...model.inputs, tensor('lstm_c', 'uint8', [1, 8, 8, 320])];
    expect(findOtherKind({ ...model, inputs })).toMatchObject({
      id: 'more-inputs',
      seen: 'Its further inputs are "lstm_c" 1×8×8×320, and nothing says what they are to hold.',
    });
  });

  it.each<[what: string, outputs: readonly Shape[], told?: Told]>([
    ['a classifier of 1000', [[1, 1000]]],
    ['a classifier of 256 with a softmax', [[1, 256]], { operators: ['Softmax'] }],
    ['a classifier of 256 whose labels are given', [[1, 256]], { labels: Array.from({ length: 256 }, String) }],
    [
      'a raw head of three levels',
      [
        [1, 255, 32, 32],
        [1, 255, 16, 16],
        [1, 255, 8, 8],
      ],
    ],
    ['a single grid of a detector', [[1, 85, 16, 16]]],
    ['rows of a detector', [[1, 84, 1344]]],
    ['rows of 17 classes', [[1, 21, 1344]]],
    [
      'boxes and scores of a wide, low picture',
      [
        [1, 4, 896],
        [1, 80, 896],
      ],
      { input: [1, 3, 64, 1024] },
    ],
    [
      'boxes and scores',
      [
        [1, 100, 4],
        [1, 100],
      ],
    ],
  ])('leaves %s to the families', (_, outputs, told) => {
    expect(findOtherKind(structure(outputs, told))).toBeNull();
  });
});
