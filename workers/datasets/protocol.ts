import type {
  DatasetClass,
  DatasetItem,
  DatasetProblem,
  LostKind,
  Split,
} from '../../src/evidence/datasets/face/items.ts';
import type { DatasetFormat, FormatFindings, ImportFormat } from '../../src/evidence/datasets/face/formats.ts';
import type { JoinTally } from '../../src/evidence/datasets/face/files.ts';
import type { Orientation } from '../../src/evidence/datasets/face/image-size.ts';

/** Where a dataset is read from. */
export type DatasetSource =
  | { readonly kind: 'zip'; readonly zip: Blob }
  | { readonly kind: 'files'; readonly files: readonly { readonly path: string; readonly file: File }[] }
  | { readonly kind: 'folder'; readonly folder: FileSystemDirectoryHandle };

/** A dataset that was opened; the later calls refer to it by its number. */
export interface OpenedDataset {
  readonly number: number;
  readonly fileCount: number;
  /** number of the files that are pictures; if 0, the annotations may be joined to stored images */
  readonly pictureCount: number;
  readonly findings: FormatFindings;
}

/** What an import would add. Only names, boxes and other annotations were read for it. */
export interface DatasetPreview {
  readonly format: ImportFormat;
  readonly datasetName: string | null;
  readonly imageCount: number;
  readonly boxCount: number;
  /** in the dataset's order; empty if it names no classes */
  readonly classes: readonly DatasetClass[];
  /** labels of boxes, the most frequent first */
  readonly labels: readonly { readonly label: string; readonly boxCount: number }[];
  readonly tags: readonly string[];
  readonly classificationCount: number;
  /** pictures without a box */
  readonly emptyCount: number;
  readonly splits: Readonly<Record<Split, number>>;
  /** annotations that cannot be stored, by kind */
  readonly lost: readonly { readonly kind: LostKind; readonly count: number }[];
  readonly problems: readonly DatasetProblem[];
  readonly errorCount: number;
  readonly noteCount: number;
  /** which stored images the annotations are joined to; null: the pictures are part of the dataset */
  readonly join: JoinPreview | null;
}

/** How annotations without pictures were matched to stored images. */
export interface JoinPreview extends JoinTally {
  /** number of stored images that were searched */
  readonly storedCount: number;
  /** number of matched images that have boxes already */
  readonly withBoxes: number;
}

/** A picture of an opened dataset, without its bytes. */
export interface ImportItem extends Omit<DatasetItem, 'content'> {
  /** the stored image that it is joined to; null: the picture is part of the dataset */
  readonly storedId: string | null;
}

export interface ImportPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** lower-case hex */
  readonly sha256: string;
  readonly mimeType: string;
  /** EXIF orientation: datasets use the upright picture, the data service the stored one */
  readonly orientation: Orientation;
}

/** A picture to export; its boxes are those of the stored picture, as in the data service. */
export interface ExportPicture extends Omit<DatasetItem, 'content' | 'sizePx'> {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Where an export is written: a zip in a picked file, a zip as a Blob in memory or on the browser's disk, or a
 * picked folder.
 */
export type ExportTarget =
  | { readonly kind: 'zip-file'; readonly file: FileSystemFileHandle }
  | { readonly kind: 'zip-blob' }
  | { readonly kind: 'folder'; readonly folder: FileSystemDirectoryHandle };

export interface ExportRequest {
  readonly format: DatasetFormat;
  readonly datasetName: string;
  /** classes that come first in the export, in this order */
  readonly classes: readonly DatasetClass[];
  /** RFC 3339 */
  readonly createdAt: string;
  /** see `ExportOptions` */
  readonly validatesOnTrain: boolean;
  readonly target: ExportTarget;
}

export interface WrittenDataset {
  /** only for the target 'zip-blob' */
  readonly zip: Blob | null;
  readonly imageCount: number;
  readonly boxCount: number;
  /** number of pictures with an EXIF orientation: their boxes are written for the upright picture */
  readonly turnedCount: number;
  readonly problems: readonly DatasetProblem[];
}

/** The stored bytes of a picture to scan. */
export interface PictureToScan {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}
