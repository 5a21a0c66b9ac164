import { headModel, logit, type HeadModel } from './head-models.ts';

/** A box in pixels of the model's input, with a score for each class. */
export interface HeadBox {
  readonly centreX: number;
  readonly centreY: number;
  readonly width: number;
  readonly height: number;
  readonly scores: readonly number[];
}

/** A 64×64 model with the head of a YOLOv8 that gives these boxes for every picture, and scores of 0.001 for all other cells. */
export function yoloV8Model(boxes: readonly HeadBox[], model: HeadModel = {}): Uint8Array<ArrayBuffer> {
  const cells = 64 + 16 + 4;
  const classCount = boxes[0]!.scores.length;
  const row = (valueOf: (box: HeadBox) => number, otherwise: number) =>
    Array.from({ length: cells }, (_, cell) => (boxes[cell] ? valueOf(boxes[cell]) : otherwise));
  const places = [
    row(({ centreX }) => centreX / 8, 4),
    row(({ centreY }) => centreY / 8, 4),
    row(({ width }) => width / 8, 1),
    row(({ height }) => height / 8, 1),
  ];
  const scores = Array.from({ length: classCount }, (_, k) => row((box) => logit(box.scores[k]!), logit(0.001)));
  return headModel(model, (build) => {
    const decoded = build.add('Mul', [build.floats([1, 4, cells], places.flat()), build.floats([], [8])]);
    const activated = build.add('Sigmoid', [build.floats([1, classCount, cells], scores.flat())]);
    const output = build.add('Concat', [decoded, activated], { axis: { int: 1 } });
    build.output('output0', output, 'float32', [1, 4 + classCount, cells]);
  });
}
