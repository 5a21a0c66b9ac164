import { readableDataOf } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';

/** Says loudly when other users of this machine may read a data folder: who reads its secrets is everybody in it. */
export async function warnOfReaders(dataDir: string, say: (text: string) => void): Promise<void> {
  const readable = await readableDataOf(dataDir);
  if (readable.length === 0) return;
  say(`WARNING: other users of this machine may read the data and forge its tokens:
  ${readable.join('\n  ')}
Take their rights away, then replace the secrets:
  chmod -R go= "${dataDir}" && sightglass secrets rotate --data "${dataDir}"`);
}
