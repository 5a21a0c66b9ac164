import { openDB } from 'idb';
import { createDataClient } from '../../workers/data-service/client.ts';
import { localHome } from '../../src/data-service/access/local-home.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { UploadSpeeds } from './upload-speeds.ts';

const atATime = 8;

/** Alternates uploads of files to the data service in its worker with plain puts of the same Blobs by idb. */
async function measure(fileBytes: number, filesARound: number, rounds: number): Promise<UploadSpeeds> {
  const client = createDataClient(
    () => new Worker(new URL('../../workers/data-service/entry.ts', import.meta.url), { type: 'module' }),
  );
  const database = await openDB('bare', 1, { upgrade: (upgraded) => void upgraded.createObjectStore('blobs') });
  let made = 0;
  const nextFile = (): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(fileBytes).fill(++made & 0xff);
    new DataView(bytes.buffer).setUint32(0, made);
    return bytes;
  };
  const filesPerSecond = async (store: (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>): Promise<number> => {
    const files = Array.from({ length: filesARound }, nextFile);
    const storeRest = async (): Promise<void> => {
      for (let bytes = files.pop(); bytes !== undefined; bytes = files.pop()) await store(bytes);
    };
    const startMs = performance.now();
    await Promise.all(Array.from({ length: atATime }, storeRest));
    return (1000 * filesARound) / (performance.now() - startMs);
  };
  const upload = (bytes: Uint8Array<ArrayBuffer>) =>
    client.sync.dataCaptureUpload({
      metadata: { partId: localHome.partId, type: DataType.BINARY_SENSOR, componentName: 'cam', fileExtension: '.jpg' },
      sensorContents: [{ data: { case: 'binary', value: bytes } }],
    });
  const put =
    (durability: 'default' | 'strict') =>
    async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
      const transaction = database.transaction('blobs', 'readwrite', { durability });
      await transaction.store.put(new Blob([bytes]), crypto.randomUUID());
      await transaction.done;
    };

  const sides = { service: upload, bareSynced: put('strict'), bare: put('default') };
  const speeds = { service: [] as number[], bareSynced: [] as number[], bare: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    for (const side of ['service', 'bareSynced', 'bare'] as const) {
      const speed = await filesPerSecond(sides[side]);
      if (round >= 0) speeds[side].push(speed); // the first round is a warm-up
    }
  }
  client.close();
  database.close();
  return speeds;
}

Object.assign(globalThis, { measure });
