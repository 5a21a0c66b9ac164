import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { randomSource } from '../../tests/random-frame.ts';

// A detector in the format of Ultralytics' YOLOv8 exports: input [1, 3, 640, 640], output [1, 4 + 80, 8400], with the
// metadata that their package requires. It has none of their weights: its detections are fixed, and seeded convolutions make
// it as expensive as a small network.

export const side = 640;
const strides = [8, 16, 32];
const cells = strides.reduce((sum, stride) => sum + (side / stride) ** 2, 0);
const objects = 30;
/** boxes of each object, in neighbouring cells, of which suppression must keep one */
const boxesEach = 8;

export const classNames = Array.from({ length: 80 }, (_, at) => `thing ${at}`);

/** Builds the model; returns its bytes. */
export function yoloModel(): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  const random = randomSource(7);
  const image = build.input('images', 'float32', [1, 3, side, side]);
  const conv = (input: string, from: number, to: number): string => {
    const weights = Float32Array.from({ length: to * from * 9 }, () => (random() - 0.5) / Math.sqrt(from * 9));
    const attributes = { strides: { ints: [2, 2] }, pads: { ints: [1, 1, 1, 1] }, kernel_shape: { ints: [3, 3] } };
    const output = build.add('Conv', [input, build.floats([to, from, 3, 3], weights)], attributes);
    return build.add('Mul', [output, build.add('Sigmoid', [output])]);
  };
  const features = [16, 32, 64, 128, 256].reduce(
    ({ tensor, channels }, next) => ({ tensor: conv(tensor, channels, next), channels: next }),
    { tensor: image, channels: 3 },
  );
  // The output depends slightly on the picture, so that no optimizer can remove the network.
  const mean = build.add('ReduceMean', [features.tensor], { keepdims: { int: 0 } });
  const trace = build.add('Mul', [mean, build.floats([], [1e-6])]);
  const { boxes, logits } = whatIsSeen(random);
  const decoded = build.add('Mul', [build.floats([1, 4, cells], boxes), build.floats([], [8])]);
  const scores = build.add('Add', [build.floats([1, classNames.length, cells], logits), trace]);
  const output = build.add('Concat', [decoded, build.add('Sigmoid', [scores])], { axis: { int: 1 } });
  build.output('output0', output, 'float32', [1, 4 + classNames.length, cells]);
  return build.build({ graphName: 'main_graph', producer: 'pytorch', opset: 17, metadata });
}

const metadata = {
  task: 'detect',
  batch: '1',
  stride: '32',
  channels: '3',
  imgsz: `[${side}, ${side}]`,
  names: `{${classNames.map((name, at) => `${at}: '${name}'`).join(', ')}}`,
};

/** The fixed detections: boxes in units of 8 px (a row for each coordinate) and logits (a row for each class) of 30 separate objects. */
function whatIsSeen(random: () => number) {
  const boxes = new Float32Array(4 * cells).fill(1);
  const logits = new Float32Array(classNames.length * cells).fill(-9);
  for (let cell = 0; cell < objects * boxesEach; cell++) {
    const object = Math.floor(cell / boxesEach);
    const [column, row] = [object % 6, Math.floor(object / 6)];
    const place = [8 + 12 * column + random(), 26 + 6 * row + random() / 2, 9, 5];
    place.forEach((value, k) => (boxes[k * cells + cell] = value));
    logits[(object % classNames.length) * cells + cell] = 0.5 + random();
  }
  return { boxes, logits };
}
