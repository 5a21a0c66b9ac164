import { create } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { DataCaptureUploadMetadataSchema, DataType } from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import { gatheredReads } from '../../../../outbox/gathered-reads.ts';
import type { DataContext } from '../../data-context.ts';
import { oneForEach } from '../../one-for-each.ts';
import { contentHash } from './content-hash.ts';
import { importKind } from './import-kind.ts';

export interface UploadFileOptions {
  readonly tags: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

const pieceBytes = 2 ** 20;
/** A file of up to this is read once, for its hash and for being sent. */
const mostHeldBytes = 4 * 2 ** 20;
const mostDeletions = 50;

/**
 * Stores a file once, whatever its name and however often it is sent: its upload id is its content's hash. Whether it was
 * there before is told; its tags are added then. A file that was deleted since it was last imported is stored again.
 * @throws ConnectError
 */
export async function uploadFile(
  context: Pick<DataContext, 'data' | 'sync' | 'home'>,
  file: File,
  { tags, signal, onProgress }: UploadFileOptions,
): Promise<{ readonly id: string; readonly wasThere: boolean }> {
  const content = file.size <= mostHeldBytes ? new Blob([await file.arrayBuffer()]) : file;
  const hash = await contentHash(content, signal);
  const receivedMs = Date.now();
  for (let round = 1; round <= mostDeletions; round++) {
    const headers = { 'x-upload-id': `import-${hash}${round === 1 ? '' : `-${round}`}` };
    const packets = uploadPackets(context.home.partId, { file, content, tags, receivedMs }, onProgress);
    const { binaryDataId: id } = await context.sync.streamingDataCaptureUpload(packets, { headers, signal });
    const receivedThenMs = await receivedTimes(context)(id, signal);
    if (receivedThenMs === null) continue;
    const wasThere = receivedThenMs !== receivedMs;
    if (wasThere && tags.length > 0) {
      await context.data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: [...tags] }, { signal });
    }
    onProgress(file.size);
    return { id, wasThere };
  }
  throw new ConnectError('It was imported and deleted too often.', Code.ResourceExhausted);
}

/** When stored files were received, ms since 1970; null for one that is stored no more. */
const receivedTimes = oneForEach(({ data }: Pick<DataContext, 'data'>) =>
  gatheredReads(async (ids, signal) => {
    try {
      const stored = await data.binaryDataByIDs({ binaryDataIds: [...ids], includeBinary: false }, { signal });
      return stored.data.map(({ metadata }) => (metadata?.timeReceived ? timestampMs(metadata.timeReceived) : 0));
    } catch (error) {
      if (ConnectError.from(error).code === Code.NotFound) return null;
      throw error;
    }
  }),
);

interface UploadContent {
  readonly file: File;
  /** its bytes, which may be at hand already */
  readonly content: Blob;
  readonly tags: readonly string[];
  readonly receivedMs: number;
}

async function* uploadPackets(
  partId: string,
  { file, content, tags, receivedMs }: UploadContent,
  onProgress: (sentBytes: number) => void,
) {
  const kind = importKind(file.name);
  const value = create(DataCaptureUploadMetadataSchema, {
    uploadMetadata: {
      partId,
      type: kind === 'image' || kind === 'point-cloud' ? DataType.BINARY_SENSOR : DataType.FILE,
      fileName: file.name,
      fileExtension: /\.[A-Za-z0-9]{1,16}$/.exec(file.name)?.[0] ?? '',
      // What the service would not know by the extension, the browser may.
      ...(kind !== 'image' && kind !== 'point-cloud' && file.type !== '' && { mimeType: file.type }),
      tags: [...tags],
    },
    sensorMetadata: { timeRequested: timestampFromMs(file.lastModified), timeReceived: timestampFromMs(receivedMs) },
  });
  yield { uploadPacket: { case: 'metadata' as const, value } };
  for (let start = 0; start < content.size; start += pieceBytes) {
    if (start > 0) onProgress(start);
    yield {
      uploadPacket: {
        case: 'data' as const,
        value: new Uint8Array(await content.slice(start, start + pieceBytes).arrayBuffer()),
      },
    };
  }
}
