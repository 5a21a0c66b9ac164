import { deserialize, serialize } from 'node:v8';
import { type BinaryFilter, type BinaryRecord, matchesBinary } from '../../../data-service/face/captures.ts';
import { joinBinary, splitCapture } from '../../data-store/capture-stream.ts';
import { PostgresCaptures, type CaptureCollection } from './postgres-captures.ts';

const binaryCaptures: CaptureCollection<BinaryRecord, BinaryFilter> = {
  table: 'binary_captures',
  columns: ['id', 'time', 'size', 'blob_address', 'entry'],
  values: (record) => [
    record.id,
    record.timeRequested,
    record.sizeBytes,
    record.blobAddress,
    serialize(splitCapture(record).entry),
  ],
  readColumns: ['entry'],
  join: (stream, { entry }) => joinBinary(stream, deserialize(entry as Uint8Array) as never),
  matches: matchesBinary,
};

export type BinaryCaptures = PostgresCaptures<BinaryRecord, BinaryFilter>;

export const postgresBinaryCaptures = (): BinaryCaptures => new PostgresCaptures(binaryCaptures);
