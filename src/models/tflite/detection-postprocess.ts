import { detectionPostprocess } from '../fit/modules/tflite-limits.ts';
import type { FlatTable } from './flat-table.ts';
import { readFlexInts } from './flex-map.ts';

/** The shapes and classes of detection operators' outputs. */
export interface DetectionFacts {
  /** shapes of their outputs, by tensor number */
  readonly shapes: ReadonlyMap<number, readonly number[]>;
  /** the operators' `num_classes`, which counts no background; null: none states it, or two differ */
  readonly classCount: number | null;
}

/**
 * Reads the options of detection operators. Their files leave the shapes of what they give open; the operator sets them from its options
 * before the first run (TensorFlow Lite, kernels/detection_postprocess.cc, Prepare).
 */
export function detectionFacts(
  graph: FlatTable,
  codes: readonly { readonly name: string; readonly isCustom: boolean }[],
): DetectionFacts {
  const shapes = new Map<number, readonly number[]>();
  const classCounts = new Set<number>();
  for (const operator of graph.tables(3)) {
    const code = codes[operator.uint32(0)];
    if (!code?.isCustom || code.name !== detectionPostprocess) continue;
    const options = readFlexInts(operator.bytes(5));
    const classes = options.get('num_classes') ?? 0;
    if (classes > 0) classCounts.add(classes);
    const boxes = (options.get('max_detections') ?? 0) * (options.get('max_classes_per_detection') ?? 0);
    const [location, category, score, count] = operator.int32s(2);
    if (boxes < 1 || count === undefined) continue;
    shapes.set(location!, [1, boxes, 4]);
    shapes.set(category!, [1, boxes]);
    shapes.set(score!, [1, boxes]);
    shapes.set(count, [1]);
  }
  const [classCount = null] = classCounts;
  return { shapes, classCount: classCounts.size === 1 ? classCount : null };
}
