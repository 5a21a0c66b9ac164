import {
  decodeModel,
  dropUnusedInitializers,
  GraphBuilder,
  renameTensor,
  type NodeAttributes,
} from '../../src/models/onnx/edit-model.ts';

/**
 * BlazeFace's "back" model as a machine-ready graph. The raw model takes a 256×256 picture and gives 896 candidates:
 * a logit each, and 16 numbers of which the first four are the box (centre x and y relative to the anchor, width,
 * height, all in pixels of the 256).
 *
 * Why the input has a dynamic size: the machine stretches a frame to a fixed input, and this model finds square boxes
 * in undistorted pictures. Stretched 3:2 photographs cost it up to 0.15 of the score and make every box 1.5 times as
 * wide as the face, a 16:9 camera 1.8 times. With a dynamic size the machine hands over the frame as it is, and the
 * graph fits it into the 256 with its proportions kept. That costs about 1 ms, whatever the frame's size, since a
 * resize without antialiasing reads only the pixels it needs (WASM, one thread: 16.3 ms a run for a 1280×720 frame,
 * 14.8 for the raw model). With antialiasing (2.5 ms more) the same faces are found, scores within 0.07.
 *
 * Why channels come first: onnxruntime-web 1.30 resizes NHWC tensors wrongly on WebGPU (off by up to 1.9 of the range
 * −1..1; NCHW agrees with WASM to 2e-7), and the network works in NCHW anyway.
 */
export const inputSizePx = 256;
/** An overlap (intersection over union) above this suppresses the lower of two candidates: MediaPipe's value. */
export const overlapThreshold = 0.3;
/** Candidates below this are noise; the sliders of a bench begin above it. */
export const scoreFloor = 0.1;
/** Most faces in one picture. */
const maxDetections = 100;
/** Cells a side and anchors a cell of the two output layers, in the model's order. */
export const anchorLayers = [
  { cells: 16, anchors: 2 },
  { cells: 8, anchors: 6 },
] as const;
const candidates = anchorLayers.reduce((sum, { cells, anchors }) => sum + cells * cells * anchors, 0);

const toFloat: NodeAttributes = { to: { int: 1 } };
const toInt64: NodeAttributes = { to: { int: 7 } };
const alongRows: NodeAttributes = { axis: { int: 0 } };
const alongCandidates: NodeAttributes = { axis: { int: 1 } };

interface Candidates {
  readonly build: GraphBuilder;
  /** [1, 896, 1], 0..1 */
  readonly scores: string;
  /** [1, 896, 4] ymin, xmin, ymax, xmax, proportional to the 256×256 square */
  readonly boxes: string;
  /** [2] rows and columns that the frame covers in the square, and [2] the rows and columns above and left of it */
  readonly covered: string;
  readonly offset: string;
}

/**
 * The detector: location [1,N,4] ymin,xmin,ymax,xmax 0..1 of the frame, category [1,N], score [1,N] falling, N ≥ 1.
 * All are float32, the category too: the machine's ONNX module (viam:mlmodel:onnx-cpu) refuses a model whose outputs mix dtypes.
 */
export function buildFaceDetector(rawModel: Uint8Array, metadata: Readonly<Record<string, string>>): Uint8Array {
  const { build, scores, boxes, covered, offset } = candidateGraph(rawModel);
  const kept = bestFirst(build, scores, boxes);
  const keptBoxes = build.add('Gather', [boxes, kept], alongCandidates);
  const keptScores = build.add('Gather', [flat(build, scores, [1, -1]), kept], alongCandidates);

  // From the square back to the frame: corner · 256 − offset, over the covered size, for (y, x, y, x).
  const twice = (pair: string) => build.add('Concat', [pair, pair], alongRows);
  const inSquarePx = build.add('Mul', [keptBoxes, build.floats([], [inputSizePx])]);
  const inFrame = build.add('Div', [build.add('Sub', [inSquarePx, twice(offset)]), twice(covered)]);
  const location = build.add('Clip', [inFrame, build.floats([], [0]), build.floats([], [1])]);
  const category = build.add('Mul', [keptScores, build.floats([], [0])]);

  build.output('location', location, 'float32', [1, 'detections', 4]);
  build.output('category', category, 'float32', [1, 'detections']);
  build.output('score', keptScores, 'float32', [1, 'detections']);
  return build.build({ graphName: 'blazeface-detector', producer: 'sightglass', opset: 18, metadata });
}

/** The classifier: probability [1,2] = no face, face, where face is the best candidate's score. */
export function buildFaceClassifier(rawModel: Uint8Array, metadata: Readonly<Record<string, string>>): Uint8Array {
  const { build, scores } = candidateGraph(rawModel);
  const face = flat(build, build.add('ReduceMax', [scores]), [1, 1]);
  const noFace = build.add('Sub', [build.floats([], [1]), face]);
  const probability = build.add('Concat', [noFace, face], { axis: { int: 1 } });
  build.output('probability', probability, 'float32', [1, 2]);
  return build.build({ graphName: 'blazeface-classifier', producer: 'sightglass', opset: 18, metadata });
}

function candidateGraph(rawModel: Uint8Array): Candidates {
  const { graph } = decodeModel(rawModel);
  dropUnusedInitializers(graph);
  const [channelsFirst, ...network] = graph.node.splice(0);
  if (channelsFirst?.opType !== 'Transpose') throw new Error('The raw model does not begin with NHWC → NCHW.');
  graph.input = [];
  graph.output = [];

  // Nodes must be in the order of execution: the letterbox, the network, the decoding.
  const build = new GraphBuilder(graph);
  build.input('image', 'float32', [1, 3, 'height', 'width']);
  const { square, covered, offset } = letterbox(build, 'image');
  graph.node.push(...network);
  renameTensor(graph, channelsFirst.output[0]!, square);

  const logits = build.add('Concat', ['Identity:0', 'Identity_1:0'], alongCandidates);
  const numbers = build.add('Concat', ['Identity_2:0', 'Identity_3:0'], alongCandidates);
  const centreAndSize = build.add('Slice', [numbers, build.ints([1], [0]), build.ints([1], [4]), build.ints([1], [2])]);
  // (x, y, w, h) in pixels → (ymin, xmin, ymax, xmax) in squares, as one matrix product and one sum.
  const corners = [0, 1, 0, 1, 1, 0, 1, 0, 0, -0.5, 0, 0.5, -0.5, 0, 0.5, 0].map((value) => value / inputSizePx);
  const fromAnchor = build.add('MatMul', [centreAndSize, build.floats([4, 4], corners)]);
  const boxes = build.add('Add', [fromAnchor, build.floats([1, candidates, 4], anchorCentres())]);
  return { build, scores: build.add('Sigmoid', [logits]), boxes, covered, offset };
}

/** Fits the frame into the middle of the square; what it leaves uncovered is black (−1 after the machine's mean and std). */
function letterbox(build: GraphBuilder, image: string): { square: string; covered: string; offset: string } {
  const int = (value: number) => build.ints([1], [value]);
  const [zero, one, two, three, four] = [int(0), int(1), int(2), int(3), int(4)];
  const side = build.ints([], [inputSizePx]);
  const size = build.add('Cast', [build.add('Slice', [build.add('Shape', [image]), two, four])], toFloat);
  const proportion = build.add('Div', [size, build.add('ReduceMax', [size])]);
  const nearest = build.add('Round', [build.add('Mul', [proportion, build.floats([], [inputSizePx])])]);
  const coveredPx = build.add('Cast', [build.add('Max', [nearest, build.floats([], [1])])], toInt64);
  const before = build.add('Div', [build.add('Sub', [side, coveredPx]), two]);
  const after = build.add('Sub', [build.add('Sub', [side, coveredPx]), before]);

  const sizes = build.add('Concat', [one, three, coveredPx], alongRows);
  const fitted = build.add('Resize', [image, '', '', sizes], { mode: { string: 'linear' } });
  const padding = build.add('Concat', [zero, zero, before, zero, zero, after], alongRows);
  return {
    square: build.add('Pad', [fitted, padding, build.floats([], [-1])]),
    covered: build.add('Cast', [coveredPx], toFloat),
    offset: build.add('Cast', [before], toFloat),
  };
}

/** Indices [N] of the candidates that survive suppression, best first; at least one, so that no output is ever empty. */
function bestFirst(build: GraphBuilder, scores: string, boxes: string): string {
  const limits = [build.ints([1], [maxDetections]), build.floats([1], [overlapThreshold])];
  const selected = build.add('NonMaxSuppression', [boxes, flat(build, scores, [1, 1, -1]), ...limits]);
  // Rows of (batch, class, index), which ONNX Runtime gives best first.
  const index = build.add('Gather', [selected, build.ints([], [2])], { axis: { int: 1 } });
  const score = build.add('Gather', [flat(build, scores, [-1]), index], alongRows);
  const aboveFloor = build.add('Greater', [score, build.floats([], [scoreFloor])]);
  const count = build.add('ReduceSum', [build.add('Cast', [aboveFloor], toInt64)]);
  const end = build.add('Max', [count, build.ints([1], [1])]);
  return build.add('Slice', [index, build.ints([1], [0]), end]);
}

function flat(build: GraphBuilder, tensor: string, shape: readonly number[]): string {
  return build.add('Reshape', [tensor, build.ints([shape.length], shape)]);
}

/** (y, x, y, x) of each candidate's anchor: the centre of its cell. */
function anchorCentres(): number[] {
  return anchorLayers.flatMap(({ cells, anchors }) =>
    Array.from({ length: cells * cells * anchors }, (_, candidate) => {
      const cell = Math.floor(candidate / anchors);
      const x = ((cell % cells) + 0.5) / cells;
      const y = (Math.floor(cell / cells) + 0.5) / cells;
      return [y, x, y, x];
    }).flat(),
  );
}
