import { binaryRecord, clientReceipt } from './captures.ts';
import { openSqliteDataStore } from '../../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';

// Uploads files, eight at a time, into the folder of the first argument until it is killed. Prints each id after it was
// acknowledged; ids start with the second argument.

const store = await openSqliteDataStore(process.argv[2]!, { now: () => Date.now() * 1000 });
const never = new AbortController().signal;
let uploads = 0;

async function* contentOf(id: string): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk < 5; chunk++) yield Buffer.from(`content of ${id}`.repeat(100));
}

async function upload(): Promise<void> {
  for (;;) {
    const id = `${process.argv[3]}-${uploads++}`;
    const blob = await store.blobs.put(contentOf(id), never);
    const record = binaryRecord(id, { blobAddress: blob.address, sha256: blob.sha256, sizeBytes: blob.sizeBytes });
    await store.binary.insert([record], clientReceipt(id));
    console.log(id);
  }
}

await Promise.all(Array.from({ length: 8 }, upload));
