import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../data-service/face/stores.ts';
import { isBusy } from './sqlite-data-store/sqlite-error.ts';
import { makePrivateFile, makePrivateFolder, privateFileMode } from './private-folder.ts';

/** The server that holds a folder, as it tells the next one of itself. */
interface Holder {
  readonly pid: number;
  /** null: it does not listen yet */
  readonly address: string | null;
}

export interface HeldFolder {
  /** Where clients reach the server that holds the folder. */
  tellAddress(address: string): Promise<void>;
  release(): Promise<void>;
}

/** A server that was just stopped may need as long to let go. */
const patienceMs = 500;

/**
 * Makes this process the one server of a data folder. The operating system lets go of it, whatever the process dies of: the
 * lock is SQLite's on an empty database, since Node has none of its own.
 *
 * @throws StoreError `unavailable`, naming the server that holds it
 */
export async function holdDataFolder(folder: string): Promise<HeldFolder> {
  await makePrivateFolder(folder);
  const [lockPath, holderPath] = [join(folder, 'server.lock'), join(folder, 'server.json')];
  await makePrivateFile(lockPath);
  const lock = new DatabaseSync(lockPath, { timeout: patienceMs });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'); // nothing is written: it must do on a full disk
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw heldError(folder, await holderOf(holderPath), error);
    throw error;
  }
  const tell = (address: string | null): Promise<void> => {
    const holder: Holder = { pid: process.pid, address };
    // on a full disk the lock alone must do
    return writeFile(holderPath, JSON.stringify(holder), { mode: privateFileMode }).catch(() => undefined);
  };
  await tell(null);
  return {
    tellAddress: tell,
    async release() {
      await rm(holderPath, { force: true });
      lock.close();
    },
  };
}

/** The address of the server that holds a data folder, as it told it; null: none has, or it does not listen yet. */
export const servedAddress = async (folder: string): Promise<string | null> =>
  (await holderOf(join(folder, 'server.json')))?.address ?? null;

async function holderOf(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null; // the holder has not written it yet, or could not
  }
}

function heldError(folder: string, holder: Holder | null, cause: unknown): StoreError {
  const who = holder === null ? 'another process' : `process ${holder.pid}`;
  const where = holder?.address ? ` at ${holder.address}` : '';
  return new StoreError(
    'unavailable',
    `The data in "${folder}" is served already, by ${who}${where}. Stop that server, or give this one another folder by --data.`,
    { cause },
  );
}
