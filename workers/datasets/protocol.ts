import type { DatasetClass } from '../../src/datasets/dataset-classes.ts';
import type { DatasetFormat, ImportFormat } from '../../src/datasets/dataset-formats.ts';
import type { DatasetItem, Split } from '../../src/datasets/dataset-item.ts';
import type { DatasetProblem } from '../../src/datasets/dataset-report.ts';
import type { LostKind } from '../../src/datasets/lost-kinds.ts';
import type { FormatFindings } from '../../src/datasets/import-dataset.ts';
import type { JoinTally } from '../../src/datasets/stored/stored-index.ts';
import type { Orientation } from '../../src/datasets/image-size/exif-orientation.ts';

/** Where a dataset is read from. */
export type DatasetSource =
  | { readonly kind: 'zip'; readonly zip: Blob }
  | { readonly kind: 'files'; readonly files: readonly { readonly path: string; readonly file: File }[] }
  | { readonly kind: 'folder'; readonly folder: FileSystemDirectoryHandle };

/** A source that was looked at: its number names it from now on. */
export interface OpenedDataset {
  readonly number: number;
  readonly fileCount: number;
  /** of the files those that are pictures; without any, annotations may be joined to stored images */
  readonly pictureCount: number;
  readonly findings: FormatFindings;
}

/** What an import would give; nothing but names, boxes and the like has been read for it. */
export interface DatasetPreview {
  readonly format: ImportFormat;
  readonly datasetName: string | null;
  readonly imageCount: number;
  readonly boxCount: number;
  /** in the order of the dataset; empty where it has none */
  readonly classes: readonly DatasetClass[];
  /** labels of boxes, the commonest first */
  readonly labels: readonly { readonly label: string; readonly boxCount: number }[];
  readonly tags: readonly string[];
  readonly classificationCount: number;
  /** pictures without a box */
  readonly emptyCount: number;
  readonly splits: Readonly<Record<Split, number>>;
  /** what there is no place for */
  readonly lost: readonly { readonly kind: LostKind; readonly count: number }[];
  readonly problems: readonly DatasetProblem[];
  readonly errorCount: number;
  readonly noteCount: number;
  /** of annotations that are joined to stored images: which are meant; null of pictures that come along */
  readonly join: JoinPreview | null;
}

/** How annotations without pictures find their stored images. */
export interface JoinPreview extends JoinTally {
  /** how many stored images were looked among */
  readonly storedCount: number;
  /** of the images that were found those that have boxes already */
  readonly withBoxes: number;
}

/** A picture of an opened dataset without its bytes. */
export interface ImportItem extends Omit<DatasetItem, 'content'> {
  /** the stored image that it is joined to; null where it comes along */
  readonly storedId: string | null;
}

export interface ImportPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** lower-case hex */
  readonly sha256: string;
  readonly mimeType: string;
  /** Datasets speak of the upright picture, the data service of the stored one. */
  readonly orientation: Orientation;
}

/** A picture on its way into an export; boxes are those of the stored picture, as the data service has them. */
export interface ExportPicture extends Omit<DatasetItem, 'content' | 'sizePx'> {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Where an export goes: a zip in a file that was picked, a zip in memory or on the browser's disk, or a picked folder. */
export type ExportTarget =
  | { readonly kind: 'zip-file'; readonly file: FileSystemFileHandle }
  | { readonly kind: 'zip-blob' }
  | { readonly kind: 'folder'; readonly folder: FileSystemDirectoryHandle };

export interface ExportRequest {
  readonly format: DatasetFormat;
  readonly datasetName: string;
  /** classes that come first, in this order */
  readonly classes: readonly DatasetClass[];
  /** RFC 3339 */
  readonly createdAt: string;
  /** see `ExportOptions` */
  readonly validatesOnTrain: boolean;
  readonly target: ExportTarget;
}

export interface WrittenDataset {
  /** of a 'zip-blob' */
  readonly zip: Blob | null;
  readonly imageCount: number;
  readonly boxCount: number;
  /** pictures with an EXIF orientation: their boxes are written as they lie in the upright picture */
  readonly turnedCount: number;
  readonly problems: readonly DatasetProblem[];
}

/** The stored bytes of a picture that is to be scanned. */
export interface PictureToScan {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}
