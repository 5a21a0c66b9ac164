import { toBinary, type DescMethod } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Interceptor, UnaryRequest } from '@connectrpc/connect';
import {
  DataCaptureUploadRequestSchema,
  DataSyncService,
  SensorDataSchema,
  type SensorData,
} from '../../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { joinBytes } from '../../../src/base/streams/join-bytes.ts';

const contentsField = DataCaptureUploadRequestSchema.field.sensorContents.number;
const binaryField = SensorDataSchema.field.binary.number;

/**
 * Appends the file contents of an upload to the rest of its message; protobuf fields may come in any order. A
 * picture is then copied once. Protobuf-ES would write it into a growing buffer and copy that again at the end.
 */
export class ContentsLast {
  /** by the signal of the call, which Connect passes on unchanged */
  readonly #parts = new WeakMap<AbortSignal, readonly Uint8Array[]>();

  readonly interceptor: Interceptor = (next) => (request) => {
    if (request.stream || !isUpload(request)) return next(request);
    const { message, signal } = request;
    if (message.sensorContents.some(({ data }) => data.case !== 'binary')) return next(request);
    this.#parts.set(signal, message.sensorContents.flatMap(partsOf));
    return next({ ...request, message: { ...message, sensorContents: [] } } as typeof request);
  };

  /** The complete body of a call. */
  complete(body: Uint8Array, signal: AbortSignal | undefined): Uint8Array {
    const parts = signal && this.#parts.get(signal);
    return parts ? joinBytes([body, ...parts]) : body;
  }
}

const isUpload = (request: {
  readonly method: DescMethod;
}): request is UnaryRequest<typeof DataCaptureUploadRequestSchema> =>
  request.method === DataSyncService.method.dataCaptureUpload;

function partsOf(content: SensorData): Uint8Array[] {
  const bytes = content.data.value as Uint8Array;
  const rest = toBinary(SensorDataSchema, { ...content, data: { case: undefined } });
  const head = prefix(binaryField, bytes.length);
  return [prefix(contentsField, rest.length + head.length + bytes.length), rest, head, bytes];
}

const prefix = (field: number, length: number): Uint8Array =>
  new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
