import { byteText } from '../../kit/words/figures.ts';
import type { LiveTensorInfo } from '../../../remote/live-machine/live-machine.ts';
import { shapeText } from '../../../machine/vision/face/feeding.ts';

const bytesOf: Readonly<Record<string, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  double: 8,
  float64: 8,
};

/** "float32 1×3×416×416, 2.08 MB": what a machine says of a tensor; without a size where it leaves a side open. */
export function liveTensorText({ dataType, shape }: LiveTensorInfo): string {
  const count = shape.every((side) => side > 0) ? shape.reduce((product, side) => product * side, 1) : null;
  const bytes = bytesOf[dataType.toLowerCase()];
  const size = count !== null && shape.length > 0 && bytes ? `, ${byteText(count * bytes)}` : '';
  return `${dataType} ${shapeText(shape)}${size}`;
}
