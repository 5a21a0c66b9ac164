import type { BinaryRecord } from '../../../data-service/ports/stored-captures.ts';
import { matchesBinary, type BinaryFilter } from '../../../data-service/ports/capture-filter.ts';
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
