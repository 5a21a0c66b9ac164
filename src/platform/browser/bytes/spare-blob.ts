import { readStream } from '../../../base/streams/read-stream.ts';

/** Bytes that are written one piece after the other, for which memory may be too small. */
export interface SpareBlob {
  write(bytes: Uint8Array): Promise<void>;
  /** All that was written; nothing is written any more. */
  blob(): Promise<Blob>;
  /** The same, piece by piece. */
  read(): AsyncGenerator<Uint8Array>;
  /** Lets go of it, also while it is written. */
  remove(): Promise<void>;
}

/** Browsers keep a blob that they read from a stream on the disk when it is large. */
export function spareBlob(): SpareBlob {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const whole = new Response(readable).blob();
  whole.catch(() => undefined); // met where it is awaited
  const writer = writable.getWriter();
  writer.closed.catch(() => undefined);
  const blob = async (): Promise<Blob> => {
    await writer.close();
    return whole;
  };
  return {
    write: (bytes) => writer.write(bytes as Uint8Array<ArrayBuffer>),
    blob,
    async *read() {
      yield* readStream((await blob()).stream());
    },
    remove: () => writer.abort(new Error('The bytes were let go.')).catch(() => undefined),
  };
}
