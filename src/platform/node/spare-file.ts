import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFileMode } from './private-folder.ts';

const pieceBytes = 2 ** 20;

/** A file in a folder for as long as this process needs it. Where the system allows it, it has no name, so that it goes with the process. */
export async function openSpareFile(folder: string) {
  const path = join(folder, `.sightglass-${randomUUID()}.tmp`);
  const file = await open(path, 'wx+', privateFileMode);
  await rm(path).catch(() => undefined); // Windows may keep the name of an open file
  return {
    write: (bytes: Uint8Array): Promise<void> => file.appendFile(bytes),
    read: (): AsyncIterable<Uint8Array> =>
      file.createReadStream({ start: 0, highWaterMark: pieceBytes, autoClose: false }),
    async remove(): Promise<void> {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
