import type { NormalizedBox } from '../../vision/normalized-box.ts';

/**
 * Microseconds since 1970-01-01T00:00:00Z, as a whole number: exact until the year 2255, ordered for all times that
 * protobuf can say. (Milliseconds would merge the captures of fast sensors; a bigint cannot be an IndexedDB key.)
 */
export type Micros = number;

/** Half open: `start` is in, `end` is out; null leaves that side open. */
export interface Interval {
  readonly start: Micros | null;
  readonly end: Micros | null;
}

/** One protobuf Any, as it came: `typeUrl` and the bytes of the message. */
export interface PackedValue {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/** What a protobuf Struct holds. Numbers include NaN and the infinities, which JSON text would lose: stores keep them. */
export type StructValue = null | boolean | number | string | readonly StructValue[] | StructObject;
export interface StructObject {
  readonly [name: string]: StructValue;
}

/** Where a capture came from: true of binary records and tabular rows alike. Empty strings mean "not given". */
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
  /** when the service took it, by its host's clock: somewhat before it can be read, by the length of an upload */
  readonly timeSynced: Micros;
  /** a set: no two equal, in the order they were added */
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

/** One file or picture: the row beside its bytes. */
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
}

/** One reading of a sensor. */
export interface TabularRow extends CaptureOrigin {
  /** ASCII, unique */
  readonly id: string;
  /** canonical JSON of the method parameters (keys sorted), '' where there are none: equal text means equal parameters */
  readonly additionalParameters: string;
  readonly payload: StructObject;
  /** what the row counts for in `total_size_bytes`: bytes of the payload on the wire */
  readonly sizeBytes: number;
}
