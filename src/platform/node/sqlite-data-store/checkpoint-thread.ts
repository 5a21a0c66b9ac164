import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// The entry of the thread that `checkpoints.ts` starts: told "run", it copies the write-ahead log into the database, and says
// when it has ended; told "close", it lets go of the database.
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
    // as on a full disk: what is in the log stays there, whole, and the next checkpoint begins there
  }
  parentPort!.postMessage('ended');
});
