import { readdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { MovedStore } from '../../data-service/face/moves.ts';
import type { SeenTime } from '../../data-service/face/captures.ts';
import type { MoveMark, UnfinishedMove } from '../../data-service/face/stores.ts';
import { holdDataFolder } from '../../platform/node/data-folder-lock.ts';
import {
  openPostgresAdministration,
  openPostgresDataStore,
} from '../../platform/node/postgres-data-store/open-postgres-data-store.ts';
import { otherSessions, requireAlone } from '../../platform/node/postgres-data-store/other-sessions.ts';
import { privateFileMode } from '../../platform/node/private-folder.ts';
import { placeInWords } from '../../platform/node/s3-blob-store/s3-place.ts';
import { seenTimeFile } from '../../platform/node/seen-time-file.ts';
import { openSqliteDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { CliError } from '../record/cli-error.ts';
import { nameOfShared, readDatabaseAddress } from './database-address.ts';
import { openBucket } from './open-bucket.ts';
import { requireData } from './require-data.ts';
import type { SharedPlace } from './shared-place.ts';

/** An installation that is open for a move alone. */
export interface MovePlace {
  /** the words for a person, without secrets */
  readonly name: string;
  /** what holds its data until it is whole, as a person is told it */
  readonly filled: string;
  /** what holds the bytes of its files */
  readonly blobs: string;
  readonly store: MovedStore;
  readonly seenTime: SeenTime;
  readonly unfinishedMove: UnfinishedMove;
  /** How many connections others have, who may have changed it meanwhile. The store is of no more use then. */
  countOthers(): Promise<number>;
  /** @param isWhole whether what was moved into it is whole, so that it may be served */
  close(isWhole: boolean): Promise<void>;
}

const markFile = 'move.json';
/** What a folder that is moved into says of its bytes, wherever it lies. */
const sameFolder = 'the same folder';

/** @throws CliError not-found without data, StoreError `unavailable` while it is served */
export async function openFolderToRead(dataDir: string): Promise<MovePlace> {
  requireData(dataDir, 'give the folder by --from-data.');
  return openFolder(dataDir, dataDir, () => Promise.resolve());
}

/**
 * The folder has its name only when it is whole: until then there is none that a server could be given.
 * @throws CliError not-empty for a folder with something in it
 */
export async function openFolderToFill(dataDir: string): Promise<MovePlace> {
  const there = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (there !== null && there.length > 0) {
    throw new CliError('not-empty', `There is something in "${dataDir}" already; name a new or an empty folder.`);
  }
  const folder = there === null ? resolve(dataDir) : await realpath(dataDir);
  const unfinished = `${folder}.moving`;
  return openFolder(unfinished, dataDir, async () => {
    if (there !== null) await rmdir(folder);
    await rename(unfinished, folder);
    await rm(join(folder, markFile), { force: true });
  });
}

async function openFolder(folder: string, name: string, finish: () => Promise<void>): Promise<MovePlace> {
  const held = await holdDataFolder(folder);
  try {
    const seenTime = await seenTimeFile(folder);
    const store = await openSqliteDataStore(folder, systemClock);
    return {
      name,
      filled: folder,
      blobs: sameFolder,
      store,
      seenTime,
      unfinishedMove: markIn(join(folder, markFile)),
      countOthers: () => Promise.resolve(0), // it is held
      async close(isWhole) {
        await store.close();
        await held.release();
        if (isWhole) await finish();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

const markIn = (path: string): UnfinishedMove => ({
  async read() {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as MoveMark | null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  },
  write: (mark) => writeFile(path, `${JSON.stringify(mark)}\n`, { mode: privateFileMode, flush: true }),
});

/** @throws StoreError where the database cannot be used, `unavailable` while hosts serve it */
export async function openShared({ database, blobs }: SharedPlace): Promise<MovePlace> {
  const url = await readDatabaseAddress(database);
  await requireAlone(url);
  const bucket = openBucket(blobs);
  try {
    const store = await openPostgresDataStore(url, bucket.blobs);
    const { seenTime, unfinishedMove } = store.installation;
    const name = nameOfShared(store.place, blobs);
    return {
      name,
      filled: name,
      blobs: placeInWords(blobs),
      store,
      seenTime,
      unfinishedMove,
      async countOthers() {
        await store.close();
        return (await otherSessions(url)).count;
      },
      async close(isWhole) {
        await store.close();
        bucket.close();
        if (!isWhole) return;
        const administration = await openPostgresAdministration(url);
        try {
          await administration.installation.unfinishedMove.write(null);
        } finally {
          await administration.close();
        }
      },
    };
  } catch (error) {
    bucket.close();
    throw error;
  }
}
