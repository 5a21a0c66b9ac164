import type { NormalizedBox } from '../../machine/vision/face/results.ts';

/**
 * Microseconds since 1970-01-01T00:00:00Z, as a whole number: exact until the year 2255, ordered for all times that
 * protobuf can say. (Milliseconds would merge the captures of fast sensors; a bigint cannot be an IndexedDB key.)
 */
export type Micros = number;

/** A half-open interval: `start` is included, `end` is not; null: no limit on that side. */
export interface Interval {
  readonly start: Micros | null;
  readonly end: Micros | null;
}

/** A protobuf Any, unchanged: `typeUrl` and the bytes of the message. */
export interface PackedValue {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/**
 * The content of a protobuf Struct. Numbers include NaN and the infinities, which JSON text would lose: stores keep
 * them.
 */
export type StructValue = null | boolean | number | string | readonly StructValue[] | StructObject;
export interface StructObject {
  readonly [name: string]: StructValue;
}

/** The origin of a capture, for binary records and tabular rows alike. Empty strings mean "not given". */
export interface CaptureOrigin {
  readonly organizationId: string;
  readonly locationId: string;
  readonly robotId: string;
  readonly robotName: string;
  readonly partId: string;
  readonly partName: string;
  /** the resource API, as `rdk:component:camera` */
  readonly componentType: string;
  readonly componentName: string;
  readonly methodName: string;
  readonly methodParameters: Readonly<Record<string, PackedValue>>;
  /** system data, hidden unless asked for */
  readonly internal: boolean;
  readonly timeRequested: Micros;
  readonly timeReceived: Micros;
  /**
   * when the service received it, by its host's clock: earlier than it can be read, by the duration of the upload
   */
  readonly timeSynced: Micros;
  /** a set without duplicates, in the order of adding */
  readonly tags: readonly string[];
}

/** One box of a picture, as it is stored. */
export interface BoundingBox extends NormalizedBox {
  readonly id: string;
  readonly label: string;
  /** 0..1, null where none was given */
  readonly confidence: number | null;
}

export interface Classification {
  readonly id: string;
  readonly label: string;
  /** 0..1, null where none was given */
  readonly confidence: number | null;
}

/** A stored file or picture, without its bytes. */
export interface BinaryRecord extends CaptureOrigin {
  /** `<organization id>/<location id>/<file id>`, ASCII, unique */
  readonly id: string;
  readonly fileId: string;
  readonly fileName: string;
  /** with its dot, as `.jpg`; '' where there is none */
  readonly fileExtension: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes, in hex */
  readonly sha256: string;
  /** names the bytes in the BlobStore; owned by this record alone */
  readonly blobAddress: string;
  readonly boundingBoxes: readonly BoundingBox[];
  readonly classifications: readonly Classification[];
  /** who accepted its labels, by which task, and when: its boxes and tags are locked; absent: they are not */
  readonly accepted?: Acceptance;
}

export interface Acceptance {
  readonly taskId: string;
  /** the name of who accepted it */
  readonly by: string;
  readonly time: Micros;
}

/** One reading of a sensor. */
export interface TabularRow extends CaptureOrigin {
  /** ASCII, unique */
  readonly id: string;
  /** canonical JSON of the method parameters (keys sorted), '' where there are none: equal text means equal parameters */
  readonly additionalParameters: string;
  readonly payload: StructObject;
  /** the row's share of `total_size_bytes`: bytes of the payload on the wire */
  readonly sizeBytes: number;
}
