import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// The entry of the thread that `checkpoints.ts` starts. On "run" it copies the write-ahead log into the database and answers
// when that has ended; on "close" it closes the database.
const database = new DatabaseSync(workerData as string);
parentPort!.on('message', (told: 'run' | 'close') => {
  if (told === 'close') {
    database.close();
    parentPort!.close();
    return;
  }
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // On a full disk, for instance. The log stays intact, and the next checkpoint continues from there.
  }
  parentPort!.postMessage('ended');
});
