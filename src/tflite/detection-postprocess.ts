import { detectionPostprocess } from '../fit/modules/tflite-limits.ts';
import type { FlatTable } from './flat-table.ts';
import { readFlexInts } from './flex-map.ts';

/**
 * Shapes of what detection operators give, by tensor number. Their files leave them open; the operator sets them from
 * its options before the first run (TensorFlow Lite, kernels/detection_postprocess.cc, Prepare).
 */
export function detectionShapes(
  graph: FlatTable,
  codes: readonly { readonly name: string; readonly isCustom: boolean }[],
): ReadonlyMap<number, readonly number[]> {
  const shapes = new Map<number, readonly number[]>();
  for (const operator of graph.tables(3)) {
    const code = codes[operator.uint32(0)];
    if (!code?.isCustom || code.name !== detectionPostprocess) continue;
    const options = readFlexInts(operator.bytes(5));
    const boxes = (options.get('max_detections') ?? 0) * (options.get('max_classes_per_detection') ?? 0);
    const [location, category, score, count] = operator.int32s(2);
    if (boxes < 1 || count === undefined) continue;
    shapes.set(location!, [1, boxes, 4]);
    shapes.set(category!, [1, boxes]);
    shapes.set(score!, [1, boxes]);
    shapes.set(count, [1]);
  }
  return shapes;
}
