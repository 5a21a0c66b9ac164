import { reshape } from '../../onnx/face/graphs.ts';
import { detectionPostprocess } from '../modules/tflite-limits.ts';
import type { Detections, Ends, Further, Head } from '../structure/family.ts';
import type { TfliteWriter } from './tflite-writer.ts';

/** Centre y, centre x, height, width of corners ymin, xmin, ymax, xmax. */
const centres = [
  [0.5, 0, -1, 0],
  [0, 0.5, 0, -1],
  [0.5, 0, 1, 0],
  [0, 0.5, 0, 1],
];

/** Candidates by TOPK_V2, and suppression by the one custom operator that every build of TensorFlow Lite has. */
export function tfliteEnds(writer: TfliteWriter): Ends {
  const best = (head: Head, scores: string) => {
    const [rows = 0] = writer.of(scores).shape;
    const count = writer.ints([1], [Math.min(rows, head.number('maxCandidates'))]);
    const [score, index] = writer.addMany('TopK', [scores, count], 2) as [string, string];
    return { index, score };
  };
  return {
    passingRows: (head, scores) => best(head, scores).index,
    bestOf: best,
    suppress(head, { boxes, score, category, further }, classCount) {
      const [rows = 0] = writer.of(score).shape;
      const scores = reshape(writer, score, [1, rows, 1]);
      if (classCount === 1) return suppressed(writer, head, boxes, scores, 1, further);
      const isOwn = writer.write(
        { name: 'ONE_HOT', options: [{ int32: -1 }] },
        [
          reshape(writer, category, [1, rows]),
          writer.ints([], [classCount]),
          writer.floats([], [1]),
          writer.floats([], [0]),
        ],
        { type: 'float32', shape: [1, rows, classCount] },
      );
      return suppressed(writer, head, boxes, writer.add('Mul', [isOwn, scores]), classCount, further);
    },
    suppressEveryClass: (head, ...candidates) => suppressed(writer, head, ...candidates),
  };
}

/**
 * The operator makes boxes of offsets to anchors, and its anchors need be no constants: offsets of zero to boxes as anchors are those
 * boxes. It refuses the whole frame for a box of negative size (TensorFlow Lite, kernels/detection_postprocess.cc). Rows that it
 * has no box for are zeros.
 */
function suppressed(
  writer: TfliteWriter,
  head: Head,
  boxes: string,
  scores: string,
  classCount: number,
  further?: Further,
): Detections {
  const [, candidates = 0] = writer.of(scores).shape;
  const rows = head.number('maxDetections');
  const sized = writer.add('MatMul', [boxes, writer.floats([4, 4], centres.flat())]);
  const anchors = writer.add('Max', [sized, writer.floats([4], [-largest, -largest, 0, 0])]);
  const offsets = writer.floats([1, candidates, 4], new Float32Array(candidates * 4));
  const [location, category, score] = writer.writeMany(
    {
      custom: detectionPostprocess,
      options: {
        max_detections: { int: rows },
        max_classes_per_detection: { int: 1 },
        detections_per_class: { int: rows },
        use_regular_nms: true,
        nms_score_threshold: { float: aboveZero(head.number('scoreThreshold')) },
        nms_iou_threshold: { float: aboveZero(head.number('iouThreshold')) },
        num_classes: { int: classCount },
        y_scale: { float: 1 },
        x_scale: { float: 1 },
        h_scale: { float: 1 },
        w_scale: { float: 1 },
      },
    },
    [offsets, scores, anchors],
    [
      { type: 'float32', shape: [1, rows, 4] },
      { type: 'float32', shape: [1, rows] },
      { type: 'float32', shape: [1, rows] },
      { type: 'float32', shape: [1] },
    ],
  ) as [string, string, string, string];
  const ofRows = further && { further: ofNearest(writer, further.numbers, boxes, location) };
  return { kind: 'detections', location, category, score, ...ofRows };
}

/** The operator does not say which candidate a box was: it is the one whose box is the same but for rounding, the nearest. */
function ofNearest(writer: TfliteWriter, numbers: string, boxes: string, location: string): string {
  const [candidates = 0] = writer.of(boxes).shape;
  const [, rows = 0] = writer.of(location).shape;
  const apart = writer.add('Sub', [
    reshape(writer, location, [rows, 1, 4]),
    reshape(writer, boxes, [1, candidates, 4]),
  ]);
  const distance = writer.add('Max', [apart, writer.add('Neg', [apart])]);
  const furthest = writer.add('ReduceMax', [distance, writer.ints([1], [2])]);
  const nearest = writer.add('ArgMax', [writer.add('Neg', [furthest])], { axis: { int: 1 } });
  return writer.add('Gather', [numbers, nearest], { axis: { int: 0 } });
}

const largest = 3e38;

/** The operator wants an overlap above 0, and keeps scores that are equal to its threshold, which those of no class are. */
function aboveZero(threshold: number): number {
  return Math.max(threshold, 1e-6);
}
