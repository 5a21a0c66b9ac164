import { datasetFormats, type DatasetFormat } from './dataset-formats.ts';
import { DatasetError } from './item/dataset-error.ts';
import type { Content, DatasetEntry, DatasetItem } from './item/dataset-item.ts';
import { DatasetReport } from './item/dataset-report.ts';
import type { ExportOptions } from './item/export-options.ts';
import { exportCoco } from './formats/coco/export-coco.ts';
import { exportCvatVideo } from './formats/cvat-video/export-cvat-video.ts';
import { exportMot } from './formats/mot/export-mot.ts';
import { exportPascalVoc } from './formats/pascal-voc/export-pascal-voc.ts';
import { exportViamJsonl } from './formats/viam-jsonl/export-viam-jsonl.ts';
import { exportYolo } from './formats/yolo/export-yolo.ts';

const exporters: Readonly<
  Record<DatasetFormat, (items: AsyncIterable<DatasetItem>, options: ExportOptions) => AsyncGenerator<DatasetEntry>>
> = {
  'viam-jsonl': exportViamJsonl,
  coco: exportCoco,
  yolo: exportYolo,
  'pascal-voc': exportPascalVoc,
  'cvat-video': exportCvatVideo,
  mot: exportMot,
};

/**
 * Generates the files of a dataset on demand. Only one picture is open at a time; of earlier pictures only boxes and
 * names stay in memory. At the end the report gets a note on all annotations that the format cannot store.
 *
 * @throws DatasetError 'unreadable-image' with the picture's name, also while an entry's content is read
 */
export async function* exportDataset(
  format: DatasetFormat,
  items: AsyncIterable<DatasetItem> | Iterable<DatasetItem>,
  { report = new DatasetReport(), ...options }: Partial<ExportOptions> & Pick<ExportOptions, 'datasetName'>,
): AsyncGenerator<DatasetEntry> {
  const losses = new Losses();
  yield* exporters[format](counted(items, report, losses), { ...options, report });
  losses.noteTo(report, format);
}

async function* counted(
  items: AsyncIterable<DatasetItem> | Iterable<DatasetItem>,
  report: DatasetReport,
  losses: Losses,
): AsyncGenerator<DatasetItem> {
  for await (const item of items) {
    report.imageCount++;
    report.boxCount += item.boxes.length;
    losses.count(item);
    yield { ...item, content: namingContent(item) };
  }
}

/** The item's content, with errors that name the picture. */
function namingContent({ fileName, content }: DatasetItem): Content {
  return {
    sizeBytes: content.sizeBytes,
    async *read() {
      try {
        yield* content.read();
      } catch (error) {
        throw new DatasetError('unreadable-image', `${fileName} cannot be read: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
  };
}

/** Counts the annotations that not every format can store. */
class Losses {
  readonly #counts = { confidence: 0, classifications: 0, tags: 0, capturedAt: 0, origin: 0, areas: 0, crowds: 0 };

  readonly #tracks = new Set<string>();

  count({ boxes, crowds = [], classifications, tags, capturedAt, origin, sequence }: DatasetItem): void {
    this.#counts.confidence += boxes.filter(({ confidence }) => confidence !== undefined).length;
    this.#counts.classifications += classifications.length;
    this.#counts.tags += tags.length;
    this.#counts.areas += boxes.filter(({ areaPx }) => areaPx !== undefined).length;
    this.#counts.crowds += crowds.length;
    if (capturedAt !== null) this.#counts.capturedAt++;
    if (Object.keys(origin).length > 0) this.#counts.origin++;
    for (const { track } of boxes) if (track) this.#tracks.add(`${track.id}\n${sequence?.name ?? ''}`);
  }

  noteTo(report: DatasetReport, format: DatasetFormat): void {
    const { title, keeps } = datasetFormats[format];
    const words = {
      confidence: 'confidences of boxes',
      classifications: 'classifications',
      tags: 'tags',
      capturedAt: 'capture times',
      origin: 'origins (machine, part, component)',
      tracks: 'tracks',
      areas: 'areas of masks',
      crowds: 'crowds',
    };
    for (const key of Object.keys(words) as (keyof typeof words)[]) {
      const count = key === 'tracks' ? this.#tracks.size : this.#counts[key];
      if (count > 0 && !keeps[key])
        report.note(title, null, `${title} has no place for ${words[key]}: ${count} left out.`);
    }
  }
}
