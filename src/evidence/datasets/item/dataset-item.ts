import type { NormalizedBox } from '../../../machine/vision/face/results.ts';
import type { TrackMark } from '../tracks/track.ts';

/** The split of a dataset that a picture belongs to. */
export type Split = 'train' | 'val' | 'test';

/**
 * One box, in coordinates of the upright picture. Most fields are optional, because formats have fewer fields than the
 * data service. The names are those of the service, so that its `BoundingBox` can be used as a DatasetBox.
 */
export interface DatasetBox extends NormalizedBox {
  /** not empty */
  readonly label: string;
  /** 0..1; absent for a box that a person drew or corrected */
  readonly confidence?: number;
  readonly id?: string;
  /** area of the object in the box, in px² of the stored picture, as a mask has it; absent: width × height */
  readonly areaPx?: number;
  /** the track that the box belongs to, in the picture's sequence */
  readonly track?: TrackMark;
}

/** A label of the whole picture. */
export interface DatasetClassification {
  readonly label: string;
  readonly confidence?: number;
  readonly id?: string;
}

/** Bytes that are read on demand. Each read starts from the beginning. */
export interface Content {
  /** null if the size is unknown before reading */
  readonly sizeBytes: number | null;
  /** Yields the chunks in order. Leaving the loop early closes the source. */
  read(): AsyncIterable<Uint8Array>;
}

/** The position of a picture among the frames of a video or burst. */
export interface SequencePosition {
  readonly name: string;
  /** increases from frame to frame, in any unit; missing frames leave gaps */
  readonly at: number;
}

/** Where and by whom a picture was captured, as far as it is known. */
export interface PictureOrigin {
  readonly binaryDataId?: string;
  readonly organizationId?: string;
  readonly locationId?: string;
  readonly robotId?: string;
  readonly partId?: string;
  readonly componentName?: string;
}

/** One picture of a dataset with all its annotations. */
export interface DatasetItem {
  /**
   * A stable id: the same picture always has the same. Splits and COCO ids are derived from it. It is the binary data id
   * or a hash of the bytes; importers use the binary data id if the format has one, otherwise the path in the dataset.
   */
  readonly contentId: string;
  /** with its extension, without folders; not necessarily unique */
  readonly fileName: string;
  readonly content: Content;
  /** size of the upright picture; null if unknown: exporters that need it read it from the content's header */
  readonly sizePx: SizePx | null;
  readonly boxes: readonly DatasetBox[];
  /** regions of many objects that nobody told apart, which are no boxes of an object; absent: none */
  readonly crowds?: readonly DatasetBox[];
  readonly classifications: readonly DatasetClassification[];
  readonly tags: readonly string[];
  /** RFC 3339 in UTC with up to nine decimals, as protobuf writes timestamps; null if unknown */
  readonly capturedAt: string | null;
  readonly origin: PictureOrigin;
  readonly split: Split | null;
  /** absent if the picture is not in a sequence */
  readonly sequence?: SequencePosition;
}

export interface SizePx {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A file of an export. Its content must be read before the next entry is requested. */
export interface DatasetEntry {
  /** relative, with forward slashes, valid on Windows, macOS and Linux, unique even if case is ignored */
  readonly path: string;
  readonly content: Content;
}

/** A file of an imported folder or archive. */
export interface ListedFile extends Content {
  readonly path: string;
  readonly sizeBytes: number;
}
