/** The [x, y, width, height] around COCO's polygons, [[x1, y1, x2, y2, …], …]; null for masks and invalid values. */
export function boxOfPolygons(segmentation: unknown): readonly [number, number, number, number] | null {
  if (!Array.isArray(segmentation)) return null;
  let [xMin, yMin, xMax, yMax] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of segmentation as unknown[]) {
    if (!Array.isArray(polygon) || !polygon.every((value) => typeof value === 'number')) return null;
    for (let i = 0; i + 1 < polygon.length; i += 2) {
      xMin = Math.min(xMin, polygon[i] as number);
      xMax = Math.max(xMax, polygon[i] as number);
      yMin = Math.min(yMin, polygon[i + 1] as number);
      yMax = Math.max(yMax, polygon[i + 1] as number);
    }
  }
  return xMin <= xMax && yMin <= yMax ? [xMin, yMin, xMax - xMin, yMax - yMin] : null;
}
