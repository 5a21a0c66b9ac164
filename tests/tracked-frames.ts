import type { DatasetBox, DatasetItem } from '../src/evidence/datasets/item/dataset-item.ts';
import { withSequences } from '../src/evidence/datasets/item/sequences.ts';
import { contentOf } from '../src/evidence/datasets/item/content.ts';
import { datasetItem, pngHeader } from './dataset-fixture.ts';

const [widthPx, heightPx] = [100, 50];

/** A key frame box, given in pixels of a 100×50 picture. */
export function keyBox(
  label: string,
  [xMin, yMin, xMax, yMax]: readonly [number, number, number, number],
  id: number,
  isLast = false,
): DatasetBox {
  const corners = { xMinNormalized: xMin / widthPx, yMinNormalized: yMin / heightPx };
  const ends = { xMaxNormalized: xMax / widthPx, yMaxNormalized: yMax / heightPx };
  return { label, ...corners, ...ends, track: { id, isKey: true, isLast } };
}

/** The frames of a sequence, 0.1 s apart, with the given key frames and the interpolated boxes between them. */
export function trackedFrames(name: string, boxes: readonly (readonly DatasetBox[])[]): readonly DatasetItem[] {
  return withSequences(
    boxes.map((on, at) =>
      datasetItem({
        fileName: `${name}-${at}.png`,
        content: contentOf(pngHeader(widthPx, heightPx)),
        sizePx: { widthPx, heightPx },
        tags: [`sequence:${name}`],
        capturedAt: `2026-01-01T00:00:00.${at}00Z`,
        boxes: on,
      }),
    ),
  );
}

/** A sequence with a cup that moves, ends and returns, a plate that stays after its last key frame, and a fork without a track. */
export const walk: readonly DatasetItem[] = trackedFrames('walk', [
  [keyBox('cup', [10, 10, 20, 20], 3)],
  [keyBox('plate & "co"', [50, 5, 90, 45], 1)],
  [keyBox('cup', [30, 12, 42, 20], 3, true), withoutTrack(keyBox('fork', [1, 2, 3.5, 4], 0))],
  [],
  [keyBox('cup', [60, 0, 70, 10], 3)],
]);

function withoutTrack({ track: _, ...box }: DatasetBox): DatasetBox {
  return box;
}

/** The boxes of each picture in pixels, with their tracks: `3` interpolated, `3!` a key frame, `3!.` the end of a track. */
export const inPixels = (items: readonly DatasetItem[]) =>
  items.map(({ boxes }) =>
    boxes
      .map(({ label, track, ...box }) => {
        const corners = [box.xMinNormalized * widthPx, box.yMinNormalized * heightPx, box.xMaxNormalized * widthPx, box.yMaxNormalized * heightPx]; // prettier-ignore
        const marks = track ? `${track.id}${track.isKey ? '!' : ''}${track.isLast ? '.' : ''}` : '-';
        return `${label} ${corners.map((px) => Math.round(px * 1000) / 1000).join(',')} ${marks}`;
      })
      .toSorted(),
  );
