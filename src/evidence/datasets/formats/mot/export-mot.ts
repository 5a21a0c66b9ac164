import { utf8ToBytes } from '@noble/hashes/utils.js';
import { contentOf, generatedContent } from '../../item/content.ts';
import type { DatasetBox, DatasetEntry, DatasetItem, SizePx } from '../../item/dataset-item.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { extensionOf } from '../../item/inner-path.ts';
import { trackedBoxes, writeSequences, type FrameRecord, type SequenceFolder } from '../sequence-folders.ts';

/**
 * Writes MOTChallenge ground truth (Milan et al., "MOT16", arXiv:1603.00831, §4.1): a folder for each sequence with
 * `img1/`, `gt/gt.txt` and `seqinfo.ini`. A row is frame, id, left, top, width, height, 1 (evaluated), class, 1 (fully
 * visible); frames, edges and classes are counted from 1. The class names are in `gt/labels.txt`, as in CVAT's exports.
 * The format has no key frames: every box is written. A box without a track gets a new id.
 *
 * @param items frames of a sequence must be in its order
 */
export async function* exportMot(
  items: AsyncIterable<DatasetItem>,
  options: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const { folders, labels } = yield* writeSequences(items, options, {
    folder: 'img1/',
    stemOf: (frame) => String(frame + 1).padStart(6, '0'),
  });
  for (const label of labels)
    if (/[\r\n]/.test(label)) options.report.note('labels.txt', null, `The label ${JSON.stringify(label)} has several lines; they are one there.`); // prettier-ignore
  const lines = labels.map((label) => `${label.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  for (const folder of folders) {
    yield { path: `${folder.path}gt/gt.txt`, content: generatedContent(() => rowsOf(folder.frames, labels)) };
    yield { path: `${folder.path}gt/labels.txt`, content: contentOf(utf8ToBytes(lines)) };
    yield { path: `${folder.path}seqinfo.ini`, content: contentOf(utf8ToBytes(seqinfo(folder))) };
  }
}

function* rowsOf(frames: readonly FrameRecord[], labels: readonly string[]): Generator<Uint8Array> {
  const classOf = new Map(labels.map((label, at) => [label, at + 1]));
  for (const [frame, boxes] of trackedBoxes(frames, 1).entries()) {
    const rows = boxes.map((box) =>
      rowOf(frame + 1, box, box.track.id, classOf.get(box.label)!, frames[frame]!.sizePx),
    );
    yield utf8ToBytes(rows.join(''));
  }
}

function rowOf(frame: number, box: DatasetBox, id: number, classNumber: number, { widthPx, heightPx }: SizePx): string {
  const [left, top] = [box.xMinNormalized * widthPx, box.yMinNormalized * heightPx];
  const [width, height] = [box.xMaxNormalized * widthPx - left, box.yMaxNormalized * heightPx - top];
  const edges = [left + 1, top + 1, width, height].map((px) => Math.round(px * 10_000) / 10_000);
  return `${[frame, id, ...edges, 1, classNumber, 1].join(',')}\n`;
}

function seqinfo({ name, frames }: SequenceFolder): string {
  const { fileName, sizePx } = frames[0]!;
  const lines = [
    '[Sequence]',
    `name=${name.replaceAll(/[\r\n]+/g, ' ')}`,
    'imDir=img1',
    `frameRate=${frameRate(frames)}`,
    `seqLength=${frames.length}`,
    `imWidth=${sizePx.widthPx}`,
    `imHeight=${sizePx.heightPx}`,
    `imExt=${extensionOf(fileName)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Frames per second from the times of capture, to a hundredth. Without times it is 30, because readers require a value. */
function frameRate(frames: readonly FrameRecord[]): number {
  const [first, last] = [frames[0], frames.at(-1)].map((frame) => Date.parse(frame?.capturedAt ?? ''));
  const rate = Math.round(((frames.length - 1) / (last! - first!)) * 100_000) / 100;
  return rate > 0 && rate <= 1000 ? rate : 30;
}
