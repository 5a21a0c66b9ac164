/** The chunks of a stream; Safari cannot iterate streams itself. Leaving the loop early cancels the stream. */
export async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined); // a stream that failed refuses to be cancelled
    reader.releaseLock();
  }
}

/** A stream of what a loop gives, taken only as fast as the stream is read; cancelling it ends the loop. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * What a writer writes, as a stream: taken only as fast as it is read. It ends when the writer's promise is kept, and
 * fails when that fails, even where the writer has forgotten its sink. Cancelling the stream makes the sink refuse.
 */
export function streamWrittenBy(
  write: (sink: WritableStream<Uint8Array>) => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const out = writable.getWriter();
  write(new WritableStream({ write: (chunk) => out.write(chunk) }))
    .then(
      () => out.close(),
      (error: unknown) => out.abort(error),
    )
    .catch(() => undefined); // whoever reads the stream has been told, or has left
  return readable;
}
