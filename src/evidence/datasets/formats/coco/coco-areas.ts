import type { DatasetBox, SizePx } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import type { ImageHeader } from '../../image-size/image-header.ts';
import { isResized } from '../../image-size/turned-with-picture.ts';
import { mostTruthTags } from '../../item/truth-tags.ts';

/** COCO's bounds between small, medium and large objects. */
const sizeBoundsPx = [32 ** 2, 96 ** 2];

/** By how much areas grow with a picture that is of another size than the file states. */
export const areaScaleOf = (stated: SizePx | null, header: ImageHeader | null): number =>
  isResized(stated, header) ? pixelsOf(header!.stored) / pixelsOf(stated!) : 1;

const pixelsOf = ({ widthPx, heightPx }: SizePx): number => widthPx * heightPx;

/**
 * The box with the area that its annotation states, where that is not width × height up to a rounding that changes no
 * size.
 */
export function withArea(box: DatasetBox, area: unknown, { widthPx, heightPx }: SizePx, scale: number): DatasetBox {
  if (typeof area !== 'number' || !Number.isFinite(area)) return box;
  const width = (box.xMaxNormalized - box.xMinNormalized) * widthPx;
  const height = (box.yMaxNormalized - box.yMinNormalized) * heightPx;
  const areaPx = area * scale;
  const [roundingPx, ofBoxPx] = [1e-4 * (width + height + 1) * scale, width * height * scale];
  const isNear = (other: number): boolean => Math.abs(areaPx - other) <= roundingPx;
  return isNear(ofBoxPx) && !sizeBoundsPx.some(isNear) ? box : { ...box, areaPx };
}

/** Says where a picture has more areas than are kept. */
export function noteManyAreas(boxes: readonly DatasetBox[], name: string, path: string, report: DatasetReport): void {
  const count = boxes.filter(({ areaPx }) => areaPx !== undefined).length;
  if (count <= mostTruthTags) return;
  report.note(path, null, `${count} boxes of ${shown(name)} have areas that are not width × height; the first ${mostTruthTags} are kept, and the others have width × height.`); // prettier-ignore
}
