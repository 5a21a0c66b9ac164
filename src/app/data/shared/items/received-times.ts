import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { gatheredReads } from '../../../../remote/outbox/gathered-reads.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';
import type { DataContext } from '../../context/data-context.ts';

/** When stored files were received, in ms since 1970; null for a deleted file. */
export const receivedTimes = memoizeByObject(({ data }: Pick<DataContext, 'data'>) =>
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
