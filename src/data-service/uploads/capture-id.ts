import { bytesToHex } from '@noble/hashes/utils.js';
import { create, toBinary } from '@bufbuild/protobuf';
import { UploadMetadataSchema, SensorMetadataSchema } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { SensorMetadata, UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Micros } from '../ports/stored-captures.ts';

/** One capture of an upload, or its file. */
export interface UploadedContent {
  /** time of the request, as the client says it; null: it says none */
  readonly timeRequested: Micros | null;
  readonly timeReceived: Micros | null;
  readonly sensor: SensorMetadata | undefined;
  /** the hash of the bytes, or the reading as canonical JSON */
  readonly content: string;
}

/**
 * The upload id of captures whose client gives none: a hash of everything that the upload says, so that sending it again gives
 * the same one. A machine's data manager gives none, and sends a capture again when a connection was lost before the answer.
 * null: a capture lacks one of its two times, without which two different captures may have the same hash.
 */
export async function captureId(
  { sha256 }: Pick<Secrets, 'sha256'>,
  metadata: UploadMetadata,
  contents: readonly UploadedContent[],
): Promise<string | null> {
  if (contents.some(({ timeRequested, timeReceived }) => timeRequested === null || timeReceived === null)) return null;
  // Entries of a map are sent in any order.
  const methodParameters = Object.fromEntries(
    Object.keys(metadata.methodParameters)
      .sort()
      .map((name) => [name, metadata.methodParameters[name]!]),
  );
  const said = [
    bytesToHex(toBinary(UploadMetadataSchema, create(UploadMetadataSchema, { ...metadata, methodParameters }))),
    ...contents.map(({ sensor, content }) => [
      sensor ? bytesToHex(toBinary(SensorMetadataSchema, sensor)) : '',
      content,
    ]),
  ];
  return bytesToHex(await sha256(new TextEncoder().encode(JSON.stringify(said))));
}
