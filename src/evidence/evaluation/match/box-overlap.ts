/**
 * Intersection over union in floating pixels; over the detection's own area where the truth is a crowd. The order of
 * operations is that of pycocotools, so that the last bit is the same.
 *
 * @param detections boxes as x, y, width, height
 * @param d row of the detection
 * @param truth boxes as x, y, width, height
 * @param t row of the truth
 * @param isCrowd whether the truth is a crowd
 * @returns 0..1
 * @example
 * boxOverlap(Float64Array.of(0, 0, 2, 2), 0, Float64Array.of(1, 0, 2, 2), 0, false); // => 1 / 3
 */
export function boxOverlap(
  detections: Float64Array,
  d: number,
  truth: Float64Array,
  t: number,
  isCrowd: boolean,
): number {
  const [i, j] = [4 * d, 4 * t];
  const dx = detections[i]!;
  const dw = detections[i + 2]!;
  const tx = truth[j]!;
  const tw = truth[j + 2]!;
  const width = Math.min(dw + dx, tw + tx) - Math.max(dx, tx);
  if (!(width > 0)) return 0;
  const dy = detections[i + 1]!;
  const dh = detections[i + 3]!;
  const ty = truth[j + 1]!;
  const th = truth[j + 3]!;
  const height = Math.min(dh + dy, th + ty) - Math.max(dy, ty);
  if (!(height > 0)) return 0;
  const both = width * height;
  return both / (isCrowd ? dw * dh : dw * dh + tw * th - both);
}
