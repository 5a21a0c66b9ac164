import type { NormalizedBox } from '../vision/normalized-box.ts';
import type { TrackMark } from './tracks/track.ts';

/** Which part of training a picture belongs to. */
export type Split = 'train' | 'val' | 'test';

/**
 * One box of a picture, on the upright picture. Formats know fewer of its fields than the data service, so they may be
 * missing; they are named alike, so that a `BoundingBox` passes for one.
 */
export interface DatasetBox extends NormalizedBox {
  /** not empty */
  readonly label: string;
  /** 0..1, of a prediction that nobody has corrected */
  readonly confidence?: number;
  readonly id?: string;
  /** of the picture's sequence */
  readonly track?: TrackMark;
}

/** What the whole picture is. */
export interface DatasetClassification {
  readonly label: string;
  readonly confidence?: number;
  readonly id?: string;
}

/** Bytes that are read when somebody asks, from the start each time. */
export interface Content {
  /** null where only reading tells */
  readonly sizeBytes: number | null;
  /** Chunks in order. Leaving the loop early releases what was opened. */
  read(): AsyncIterable<Uint8Array>;
}

/** Where a picture stands among the frames of a video or burst. */
export interface SequencePosition {
  readonly name: string;
  /** counts its frames upwards, in whatever unit, with gaps where frames are missing */
  readonly at: number;
}

/** Where a picture was captured, as far as that is known. */
export interface PictureOrigin {
  readonly binaryDataId?: string;
  readonly organizationId?: string;
  readonly locationId?: string;
  readonly robotId?: string;
  readonly partId?: string;
  readonly componentName?: string;
}

/** One picture of a dataset with all that was said about it. */
export interface DatasetItem {
  /**
   * The same for the same picture for ever: its binary data id, or a hash of its bytes. Splits and COCO ids hang on it.
   * Importers give the binary data id where the format has one, else the path inside the dataset.
   */
  readonly contentId: string;
  /** with its extension, without folders; need not be unique */
  readonly fileName: string;
  readonly content: Content;
  /** of the upright picture; null when nobody has looked: exporters that must know read it from the content's header */
  readonly sizePx: SizePx | null;
  readonly boxes: readonly DatasetBox[];
  readonly classifications: readonly DatasetClassification[];
  readonly tags: readonly string[];
  /** RFC 3339 in UTC with up to nine decimals, as protobuf writes timestamps; null when unknown */
  readonly capturedAt: string | null;
  readonly origin: PictureOrigin;
  readonly split: Split | null;
  /** left out where it is in none */
  readonly sequence?: SequencePosition;
}

export interface SizePx {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A file of an export: what to call it and what is in it. Its content must be read before the next entry is asked for. */
export interface DatasetEntry {
  /** relative, with forward slashes, safe on Windows, macOS and Linux, unique whatever their case */
  readonly path: string;
  readonly content: Content;
}

/** A file of a folder or an archive that is imported. */
export interface ListedFile extends Content {
  readonly path: string;
  readonly sizeBytes: number;
}
