import { deleteOutdated, type Retention } from '../../data-service/face/files.ts';
import { openPostgresDataStore } from '../../platform/node/postgres-data-store/open-postgres-data-store.ts';
import { postgresProbe } from '../../platform/node/postgres-data-store/postgres-probe.ts';
import { nodeQueryWorkers } from '../../platform/node/query-worker.ts';
import { probeConditionalPuts } from '../../platform/node/s3-blob-store/probe-conditional-puts.ts';
import { s3BlobStore } from '../../platform/node/s3-blob-store/s3-blob-store.ts';
import { connectToS3 } from '../../platform/node/s3-blob-store/s3-connection.ts';
import { s3Probe } from '../../platform/node/s3-blob-store/s3-probe.ts';
import type { Log } from '../../server/http/log.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { ClockWatch } from '../../server/storage/clock-watch.ts';
import { storeTrouble } from '../../server/storage/store-trouble.ts';
import { nameOfShared, readDatabaseAddress, requireNoMove } from '../data/database-address.ts';
import type { SharedPlace } from '../data/shared-place.ts';
import { queryThread, type ServedStore } from './served-store.ts';

/** How long a database or bucket may be silent before a host is not ready. */
const patienceMs = 3000;

/**
 * Opens a database and a bucket that any number of hosts serve at once: nothing of what one of them knows is kept from the others.
 * The bucket is written to once, so that a host that could not store files does not start.
 * @throws StoreError where either cannot be used, CliError while a move into them is unfinished
 */
export async function serveShared(
  { database, blobs }: SharedPlace,
  retention: Retention,
  log: Log,
): Promise<ServedStore> {
  const url = await readDatabaseAddress(database);
  const connection = connectToS3(blobs, {
    onFailure: (error) => log.warn({ reason: error.message }, 'the bucket failed'),
  });
  const puts = await probeConditionalPuts(connection);
  log.info(
    puts,
    `the bucket took ${puts.winners} of ${puts.asked} puts that all asked to be the first; nothing here relies on one`,
  );
  const store = await openPostgresDataStore(url, s3BlobStore(connection, systemClock));
  try {
    await requireNoMove(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const settings = await store.laxSettings();
  if (settings.length > 0) log.warn({ settings }, 'the database may lose what is acknowledged when its machine ends');
  // They give up later than they are waited for: silence is told as silence, not as a place that cannot be reached.
  const [databaseProbe, bucketProbe] = [postgresProbe(url, 2 * patienceMs), s3Probe(blobs, 2 * patienceMs)];
  const { seenTime, checkState } = store.installation;
  const isKeptForever = Object.values(retention).every((ms) => ms === null);
  return {
    name: nameOfShared(store.place, blobs),
    store,
    startWorker: nodeQueryWorkers({ databaseUrl: url }, queryThread),
    clockWatch: new ClockWatch(seenTime, systemClock),
    checkState,
    checkBytesPerSecond: 0,
    // a host that has no rule does not keep the others from theirs, nor one whose clock is wrong
    keep: isKeptForever
      ? null
      : async (signal, byAge) => (byAge ? deleteOutdated({ store }, retention, signal) : { files: 0, readings: 0 }),
    storage: null,
    storeTrouble: storeTrouble(
      { 'The database': () => databaseProbe.ask(), 'The bucket': () => bucketProbe.ask() },
      log,
      patienceMs,
    ),
    waitingCalls: () => store.waitingCalls(),
    waitingIndexRows: () => store.waitingIndexRows(),
    takeUpIndexes: (onProgress) => store.takeUpIndexes(onProgress),
    tellAddress: () => Promise.resolve(),
    async close() {
      bucketProbe.close();
      await databaseProbe.close();
      await store.close();
      connection.client.destroy();
    },
  };
}
