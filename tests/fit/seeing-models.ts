import type { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { randomSource } from '../random-frame.ts';
import { headModel, type HeadModel } from './head-models.ts';

/** Models whose detections depend on the picture, unlike those of heads of constants. Their inputs are 64×64. */
const strides = [8, 16, 32];
const cells = strides.reduce((sum, stride) => sum + (64 / stride) ** 2, 0);

/** [1, numbers, cells]: random linear combinations of the colours of each grid cell. */
function mixtures(build: GraphBuilder, image: string, numbers: number, seed: number, strength: number): string {
  const random = randomSource(seed);
  const weights = build.floats(
    [numbers, 3, 1, 1],
    Array.from({ length: 3 * numbers }, () => (random() - 0.5) * strength),
  );
  const grids = strides.map((stride) => {
    const window = { kernel_shape: { ints: [stride, stride] }, strides: { ints: [stride, stride] } };
    const mixed = build.add('Conv', [build.add('AveragePool', [image], window), weights]);
    return build.add('Reshape', [mixed, build.ints([3], [1, numbers, (64 / stride) ** 2])]);
  });
  return build.add('Concat', grids, { axis: { int: 2 } });
}

/** A YOLOX for inputs of 0..255: offsets, log sizes, objectness and class scores after a sigmoid. */
export function seeingYolox(classCount: number, model: HeadModel = {}): Uint8Array<ArrayBuffer> {
  return headModel(model, (build, image) => {
    const boxes = mixtures(build, image, 4, 1, 0.02);
    const scores = build.add('Sigmoid', [mixtures(build, image, 1 + classCount, 2, 0.1)]);
    const rows = build.add('Concat', [boxes, scores], { axis: { int: 1 } });
    const output = build.add('Transpose', [rows], { perm: { ints: [0, 2, 1] } });
    build.output('output', output, 'float32', [1, cells, 5 + classCount]);
  });
}

/** A YOLOv8 for inputs of 0..1: boxes decoded to pixels, and class scores after a sigmoid. */
export function seeingYoloV8(classCount: number, model: HeadModel = {}): Uint8Array<ArrayBuffer> {
  return headModel(model, (build, image) => {
    const shares = build.add('Sigmoid', [mixtures(build, image, 4, 3, 8)]);
    const boxes = build.add('Mul', [shares, build.floats([], [64])]);
    const scores = build.add('Sigmoid', [mixtures(build, image, classCount, 4, 20)]);
    const output = build.add('Concat', [boxes, scores], { axis: { int: 1 } });
    build.output('output0', output, 'float32', [1, 4 + classCount, cells]);
  });
}
