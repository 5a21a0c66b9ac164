import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type CallOptions } from '@connectrpc/connect';
import {
  DataCaptureUploadMetadataSchema,
  DataType,
  type DataCaptureUploadMetadata,
} from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { isStoredNow } from '../../../../remote/outbox/is-stored-now.ts';
import { receivedTimes } from '../items/received-times.ts';
import { bytesOf, contentHash, sizeOf } from './content-hash.ts';
import { importKind, isNoPicture, pictureTypeOf } from './import-kind.ts';

export interface UploadFileOptions {
  readonly tags: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

const pieceBytes = 2 ** 20;
/** A file up to this size is read once, for its hash and for sending; as a capture it is sent in one message. */
const mostHeldBytes = 4 * 2 ** 20;
const mostDeletions = 50;
/** enough bytes to recognize a file's type */
const headBytes = 1024;

/**
 * Stores a file once, whatever its name and however often it is sent: its upload id is the hash of its content. If it
 * was stored before, its tags are added, and the result says so. A file that was deleted since its last import is
 * stored again. A file that is named as a picture but is none is stored as a file, and the result says so. @throws
 * ConnectError
 */
export async function uploadFile(
  context: Pick<DataContext, 'data' | 'sync' | 'home'>,
  file: File,
  { tags, signal, onProgress }: UploadFileOptions,
): Promise<{ readonly id: string; readonly wasThere: boolean; readonly isNoPicture: boolean }> {
  const content = file.size <= mostHeldBytes ? await bytesOf(file) : file;
  const hash = await contentHash(content, signal);
  const receivedMs = Date.now();
  const head = await bytesOf(content.slice(0, headBytes));
  const upload = { content, about: describe(context.home.partId, file, { head, tags, receivedMs }) };
  for (let round = 1; round <= mostDeletions; round++) {
    const headers = { 'x-upload-id': `import-${hash}${round === 1 ? '' : `-${round}`}` };
    let isNew = false;
    const onHeader = (header: Headers): void => void (isNew = isStoredNow(header));
    const { binaryDataId: id } = await send(context.sync, upload, { headers, signal, onHeader }, onProgress);
    // What was stored before may be deleted by now, and a host of others does not say whether it was.
    const receivedThenMs = isNew ? receivedMs : await receivedTimes(context)(id, signal);
    if (receivedThenMs === null) continue;
    const wasThere = receivedThenMs !== receivedMs;
    if (wasThere && tags.length > 0) {
      await context.data.addTagsToBinaryDataByIDs({ binaryDataIds: [id], tags: [...tags] }, { signal });
    }
    onProgress(file.size);
    return { id, wasThere, isNoPicture: isNoPicture(file.name, head) };
  }
  throw new ConnectError('It was imported and deleted too often.', Code.ResourceExhausted);
}

interface Upload {
  readonly about: DataCaptureUploadMetadata;
  /** the file, or its bytes if they were read */
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

function describe(
  partId: string,
  file: File,
  { head, tags, receivedMs }: { head: Uint8Array; tags: readonly string[]; receivedMs: number },
): DataCaptureUploadMetadata {
  const kind = isNoPicture(file.name, head) ? 'file' : importKind(file.name);
  const pictureType = kind === 'file' ? pictureTypeOf(head) : '';
  const isCapture = kind === 'image' || kind === 'point-cloud' || pictureType !== '';
  // The content decides what is a picture, not the name. The browser may know types whose extension the service does
  // not know.
  const fileType = importKind(file.name) === 'image' ? 'application/octet-stream' : file.type;
  const mimeType = pictureType || (isCapture ? '' : fileType);
  return create(DataCaptureUploadMetadataSchema, {
    uploadMetadata: {
      partId,
      type: isCapture ? DataType.BINARY_SENSOR : DataType.FILE,
      fileName: file.name,
      fileExtension: /\.[A-Za-z0-9]{1,16}$/.exec(file.name)?.[0] ?? '',
      ...(mimeType !== '' && { mimeType }),
      tags: [...tags],
    },
    sensorMetadata: { timeRequested: timestampFromMs(file.lastModified), timeReceived: timestampFromMs(receivedMs) },
  });
}

/** A stream takes several messages, a call only one; but calls are for captures only. */
function send(
  sync: DataContext['sync'],
  { about, content }: Upload,
  options: CallOptions,
  onProgress: UploadFileOptions['onProgress'],
): Promise<{ readonly binaryDataId: string }> {
  const { uploadMetadata: metadata, sensorMetadata } = about;
  if (content instanceof Blob || metadata?.type !== DataType.BINARY_SENSOR)
    return sync.streamingDataCaptureUpload(uploadPackets(about, content, onProgress), options);
  const sensorContents = [{ metadata: sensorMetadata, data: { case: 'binary' as const, value: content } }];
  return sync.dataCaptureUpload({ metadata, sensorContents }, options);
}

async function* uploadPackets(
  about: DataCaptureUploadMetadata,
  content: Upload['content'],
  onProgress: UploadFileOptions['onProgress'],
) {
  yield { uploadPacket: { case: 'metadata' as const, value: about } };
  for (let start = 0; start < sizeOf(content); start += pieceBytes) {
    if (start > 0) onProgress(start);
    const value = await bytesOf(content.slice(start, start + pieceBytes));
    yield { uploadPacket: { case: 'data' as const, value } };
  }
}
