import { expect, it } from 'vitest';
import { ColumnChunkReader, ColumnChunkWriter } from './column-chunk.ts';
import { ResultColumnsBuilder, type ResultColumns } from './result-columns.ts';

const first: ResultColumns = {
  timesMs: Float64Array.of(-1.5, 1_700_000_000_000.001, 1_700_000_000_000.002),
  starts: Uint32Array.of(0, 2, 2, 3),
  labels: Uint32Array.of(1, 0, 1),
  scores: Float64Array.of(0.1 + 0.2, 5e-324, 1),
  names: ['dog', 'cat\0'],
};
const second: ResultColumns = {
  timesMs: Float64Array.of(1_700_000_000_000.002, 1_700_000_000_000.003),
  starts: Uint32Array.of(0, 0, 2),
  labels: Uint32Array.of(0, 1),
  scores: Float64Array.of(0.5, 0),
  names: ['bird', 'dog'],
};
const none: ResultColumns = {
  ...second,
  timesMs: new Float64Array(),
  starts: new Uint32Array(1),
  labels: new Uint32Array(),
  scores: new Float64Array(),
  names: [],
};

it('gives back the columns that were written, under the names of all chunks', () => {
  const [writer, reader] = [new ColumnChunkWriter(), new ColumnChunkReader()];
  const [sent, read] = [new ResultColumnsBuilder(), new ResultColumnsBuilder()];
  const newNames: (readonly string[])[] = [];
  for (const columns of [first, none, second]) {
    const chunk = writer.write(columns);
    newNames.push(chunk.newNames);
    sent.append(columns);
    read.append(reader.read(chunk));
  }
  expect(read.build()).toEqual(sent.build());
  expect(newNames).toEqual([['dog', 'cat\0'], [], ['bird']]);
});

it('writes little-endian numbers, the counts and not the places of results', () => {
  const { timesMs, counts, labels, scores } = new ColumnChunkWriter().write(first);
  expect([timesMs.length, counts.length, labels.length, scores.length]).toEqual([24, 12, 12, 24]);
  expect(new DataView(timesMs.buffer, timesMs.byteOffset).getFloat64(8, true)).toBe(1_700_000_000_000.001);
  expect(new DataView(scores.buffer, scores.byteOffset).getFloat64(0, true)).toBe(0.1 + 0.2);
  expect([...counts]).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  expect([...labels]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
});

it('reads bytes at any place of a message into buffers of their own', () => {
  const chunk = new ColumnChunkWriter().write(first);
  const shifted = (bytes: Uint8Array): Uint8Array => {
    const message = new Uint8Array(bytes.length + 3);
    message.set(bytes, 3);
    return message.subarray(3);
  };
  const { counts, labels, scores, timesMs } = chunk;
  const read = new ColumnChunkReader().read({
    ...chunk,
    timesMs: shifted(timesMs),
    counts: shifted(counts),
    labels: shifted(labels),
    scores: shifted(scores),
  });
  expect(read).toEqual(first);
  expect(read.timesMs.buffer.byteLength).toBe(24);
});

it('refuses bytes that are no numbers of their column', () => {
  const chunk = new ColumnChunkWriter().write(first);
  const torn = { ...chunk, scores: chunk.scores.subarray(1) };
  expect(() => new ColumnChunkReader().read(torn)).toThrow(/numbers of 8 bytes has 23 bytes/);
});
