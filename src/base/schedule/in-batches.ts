const batchBytes = 8_000_000;
const batchCount = 16;

/** Groups pictures into batches that fit in memory together; a larger picture is a batch of its own. */
export function* inBatches<Picture extends { readonly sizeBytes: number }>(
  pictures: Iterable<Picture>,
): Generator<readonly Picture[]> {
  let batch: Picture[] = [];
  let bytes = 0;
  for (const picture of pictures) {
    if (batch.length > 0 && (batch.length === batchCount || bytes + picture.sizeBytes > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(picture);
    bytes += picture.sizeBytes;
  }
  if (batch.length > 0) yield batch;
}
