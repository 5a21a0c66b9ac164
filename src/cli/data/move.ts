import { randomBytes, randomUUID } from 'node:crypto';
import { compareInstallations, copyInstallation, type MovedStore } from '../../data-service/face/moves.ts';
import { type MoveMark, rowKinds } from '../../data-service/face/stores.ts';
import { CliError } from '../record/cli-error.ts';
import { openFolderToFill, openFolderToRead, openShared, type MovePlace } from './move-places.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { MoveArguments } from './data-records.ts';

/** Under this name an installation keeps what tells it from others. It signs nothing. */
const identity = 'installation';
const identityBytes = 16;

/**
 * Runs `sightglass move`: copies a whole installation from a data folder into a database and a bucket, or back, and compares both in
 * the end. A move that was interrupted goes on when it is run again.
 * @param command parsed arguments
 * @param terminal receives one object for each collection that is equal, for each difference, and one that sums up
 * @returns exit code: 1 where something differs, otherwise 0
 * @throws CliError not-found, not-empty
 * @example
 * const shared = { database: { url: 'postgres://nowhere/none' }, blobs: { bucket: 'none', prefix: '', endpoint: null, region: 'none' } };
 * await move({ name: 'move', from: 'folder', dataDir: '/missing', shared }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function move({ from, dataDir, shared }: MoveArguments, terminal: Terminal): Promise<number> {
  const source = from === 'folder' ? await openFolderToRead(dataDir) : await openShared(shared);
  try {
    await requireWhole(source);
    const target = from === 'folder' ? await openShared(shared) : await openFolderToFill(dataDir);
    let isWhole = false;
    try {
      await begin(source, target, terminal);
      const ids = { next: () => randomUUID() };
      await copyInstallation(source.store, target.store, ids, terminal);
      terminal.say('comparing what was copied');
      const comparison = await compareInstallations(source.store, target.store, terminal);
      const lastSeen = await source.seenTime.read();
      if (lastSeen !== null) await target.seenTime.write(lastSeen);
      let { differences } = comparison;
      for (const place of [source, target]) if (await isInUse(place, terminal)) differences++;
      isWhole = differences === 0;
      terminal.print({ moved: source.name, to: target.name, ...comparison, differences });
    } finally {
      await target.close(isWhole);
    }
    return isWhole ? 0 : 1;
  } finally {
    await source.close(false);
  }
}

/** Whether a host was started meanwhile, so that what it has changed may be in neither what was copied nor what was compared. */
async function isInUse(place: MovePlace, { print }: Terminal): Promise<boolean> {
  const connections = await place.countOthers();
  if (connections > 0) print({ place: place.name, difference: 'in use', connections });
  return connections > 0;
}

async function requireWhole({ name, store, unfinishedMove }: MovePlace): Promise<void> {
  if ((await unfinishedMove.read()) !== null) {
    throw new CliError('unfinished-move', `${name} holds a move that is not finished; run that again first.`);
  }
  if ((await store.access.listOrganizations()).length === 0) {
    throw new CliError('not-found', `There is no data of Sightglass in ${name}.`);
  }
}

/** Marks the target as this move's own, or goes on with one that is. */
async function begin(source: MovePlace, target: MovePlace, { say }: Terminal): Promise<void> {
  const bytes = await source.store.access.installationSecret(identity, randomBytes(identityBytes));
  const installation = Buffer.from(bytes).toString('hex');
  const unfinished = await target.unfinishedMove.read();
  if (unfinished !== null) {
    requireSame(unfinished, { installation, blobs: target.blobs }, target.filled);
    say(`going on with the move of ${source.name}`);
    return;
  }
  const held = await whatIsIn(target.store);
  if (held !== null) {
    throw new CliError(
      'not-empty',
      `${target.filled} holds ${held} already. A move wants an empty database, and an empty part of the bucket.`,
    );
  }
  await target.unfinishedMove.write({ installation, blobs: target.blobs });
}

/** A move that goes on deletes all files of its place but its own, so it goes on only where it has begun. */
function requireSame(unfinished: MoveMark, { installation, blobs }: MoveMark, filled: string): void {
  if (unfinished.installation !== installation) {
    throw new CliError(
      'not-empty',
      `${filled} holds an unfinished move of another installation. End that, or name another place.`,
    );
  }
  if (unfinished.blobs !== blobs) {
    throw new CliError(
      'not-empty',
      `${filled} holds an unfinished move whose files go to ${unfinished.blobs}, not to ${blobs}. Give the same --blobs, or begin again with an empty database.`,
    );
  }
}

/** null: nothing */
async function whatIsIn({ rows, blobs }: MovedStore): Promise<string | null> {
  for (const kind of rowKinds) {
    for await (const page of rows.pages(kind)) if (page.length > 0) return 'data';
  }
  for await (const blob of blobs.list()) return `files, as ${blob.address},`;
  return null;
}
