import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SeenTime } from '../../data-service/face/captures.ts';
import { replaceFile } from './replace-file.ts';
import { databaseFile } from './sqlite-data-store/open-sqlite-data-store.ts';

/**
 * The last seen time of a data folder, in its file `clock.json`. A folder without one, as of an earlier version, was last seen
 * when its database was last written: so ask before that is opened.
 */
export async function seenTimeFile(folder: string): Promise<SeenTime> {
  const path = join(folder, 'clock.json');
  const atFirst = await stat(join(folder, databaseFile)).then(
    ({ mtimeMs }) => Math.round(mtimeMs * 1000),
    () => null,
  );
  return {
    async read() {
      try {
        const { lastSeen } = JSON.parse(await readFile(path, 'utf8')) as { readonly lastSeen: string };
        const millis = Date.parse(lastSeen);
        return Number.isNaN(millis) ? atFirst : millis * 1000;
      } catch {
        return atFirst;
      }
    },
    async write(time) {
      const text = `${JSON.stringify({ lastSeen: new Date(Math.floor(time / 1000)).toISOString() })}\n`;
      await replaceFile(path, text);
    },
  };
}
