import { utf8ToBytes } from '@noble/hashes/utils.js';
import { generatedContent } from '../../item/content.ts';
import type { DatasetBox, DatasetEntry, DatasetItem, SizePx } from '../../item/dataset-item.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { settleTracks } from '../../tracks/track-frames.ts';
import { escapedAttribute, escapedXml } from '../escaped-xml.ts';
import { trackedBoxes, writeSequences, type FrameRecord, type SequenceFolder } from '../sequence-folders.ts';

/**
 * Writes CVAT for video 1.1 (docs.cvat.ai, "CVAT XML format"): a folder for each sequence with `annotations.xml` and
 * `images/frame_000000…`. Frames are counted from 0 without gaps; edges are in pixels, counted from 0. All boxes are
 * written. A box has `keyframe="0"` if CVAT, which interpolates over these frame numbers, would compute the same box. A
 * track ends with a box that is `outside`. A box without a track becomes a track of one frame.
 *
 * @param items frames of a sequence must be in its order
 */
export async function* exportCvatVideo(
  items: AsyncIterable<DatasetItem>,
  options: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const { folders, labels } = yield* writeSequences(items, options, {
    folder: 'images/',
    stemOf: (frame) => `frame_${String(frame).padStart(6, '0')}`,
  });
  for (const folder of folders)
    yield { path: `${folder.path}annotations.xml`, content: generatedContent(() => annotationsXml(folder, labels)) };
}

/** A box of a track, with the number of its frame. */
interface TrackRow {
  readonly frame: number;
  readonly box: DatasetBox;
}

function* annotationsXml({ name, frames }: SequenceFolder, labels: readonly string[]): Generator<Uint8Array> {
  const { widthPx, heightPx } = frames[0]!.sizePx;
  const head = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<annotations>',
    '  <version>1.1</version>',
    '  <meta>',
    '    <task>',
    `      <name>${escapedXml(name)}</name>`,
    `      <size>${frames.length}</size>`,
    '      <mode>interpolation</mode>',
    '      <start_frame>0</start_frame>',
    `      <stop_frame>${frames.length - 1}</stop_frame>`,
    '      <labels>',
    ...labels.map((label) => `        <label><name>${escapedXml(label)}</name><type>rectangle</type><attributes></attributes></label>`), // prettier-ignore
    '      </labels>',
    `      <original_size><width>${widthPx}</width><height>${heightPx}</height></original_size>`,
    '    </task>',
    '  </meta>',
    '',
  ];
  yield utf8ToBytes(head.join('\n'));
  for (const [id, rows] of rowsOf(frames)) yield utf8ToBytes(trackXml(id, rows, frames));
  yield utf8ToBytes('</annotations>\n');
}

function rowsOf(frames: readonly FrameRecord[]): ReadonlyMap<number, readonly TrackRow[]> {
  const settled = settleTracks(trackedBoxes(frames, 0).map((boxes, at) => ({ at, boxes })));
  const tracks = new Map<number, TrackRow[]>();
  for (const [frame, boxes] of settled.entries()) {
    for (const box of boxes) {
      const rows = tracks.get(box.track.id) ?? [];
      tracks.set(box.track.id, rows);
      rows.push({ frame, box });
    }
  }
  return tracks;
}

function trackXml(id: number, rows: readonly TrackRow[], frames: readonly FrameRecord[]): string {
  const boxes = rows.flatMap(({ frame, box }) => {
    const { isKey, isLast } = box.track!;
    const here = boxXml(frame, box, frames[frame]!.sizePx, { keyframe: isKey, outside: false });
    const isOver = isLast && frame + 1 < frames.length;
    if (!isOver) return [here];
    return [here, boxXml(frame + 1, box, frames[frame + 1]!.sizePx, { keyframe: true, outside: true })];
  });
  const label = escapedAttribute(rows[0]!.box.label);
  return `  <track id="${id}" label="${label}" source="manual">\n${boxes.join('')}  </track>\n`;
}

function boxXml(
  frame: number,
  box: DatasetBox,
  { widthPx, heightPx }: SizePx,
  { keyframe, outside }: { readonly keyframe: boolean; readonly outside: boolean },
): string {
  const edges = {
    xtl: box.xMinNormalized * widthPx,
    ytl: box.yMinNormalized * heightPx,
    xbr: box.xMaxNormalized * widthPx,
    ybr: box.yMaxNormalized * heightPx,
  };
  const written = Object.entries(edges).map(([edge, px]) => `${edge}="${Math.round(px * 10_000) / 10_000}"`);
  const flags = `frame="${frame}" keyframe="${keyframe ? 1 : 0}" outside="${outside ? 1 : 0}" occluded="0"`;
  return `    <box ${flags} ${written.join(' ')} z_order="0"></box>\n`;
}
