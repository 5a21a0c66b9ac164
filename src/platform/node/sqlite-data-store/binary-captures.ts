import { type BinaryFilter, type BinaryRecord, matchesBinary } from '../../../data-service/face/captures.ts';
import { joinBinary } from '../../data-store/capture-stream.ts';
import type { CaptureCollection } from './sqlite-captures.ts';

export const binaryCaptures: CaptureCollection<BinaryRecord, BinaryFilter> = {
  table: 'binary_captures',
  ownColumns: ({ blobAddress }) => ({ blob_address: blobAddress }),
  entryColumns: 'entry',
  hasSheets: false,
  join: joinBinary,
  matches: matchesBinary,
};
