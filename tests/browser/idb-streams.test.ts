import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CaptureStream } from '../../src/platform/data-store/capture-stream.ts';
import { IdbDatabase } from '../../src/platform/browser/indexed-db/data-store/idb-database.ts';
import { IdbStreams } from '../../src/platform/browser/indexed-db/data-store/idb-streams.ts';
import { splitCapture } from '../../src/platform/data-store/capture-stream.ts';
import { binaryRecord } from '../contract/data-store/captures.ts';

const streamOf = (componentName: string): CaptureStream => splitCapture(binaryRecord('1', { componentName })).stream;

let name: string;
let database: IdbDatabase;
let streams: IdbStreams;
beforeEach(() => {
  name = `streams-${crypto.randomUUID()}`;
  database = new IdbDatabase(name);
  streams = new IdbStreams();
  database.onUndone = (transaction) => streams.undo(transaction);
});
afterEach(async () => {
  await database.close();
  indexedDB.deleteDatabase(name);
});

const added = (componentName: string): Promise<number> =>
  database.write(['streams'], async (transaction) => {
    await streams.readNew(transaction);
    return streams.idOf(transaction, 'binary', streamOf(componentName));
  });

// A full disk undoes uploads while the files before them are read.
it('stay known to a read while another write is undone', async () => {
  const id = await added('front');
  const read = await database.read(['streams'], async (transaction) => {
    await streams.readNew(transaction);
    await database.write(['blobs'], () => Promise.reject(new Error('full'))).catch(() => {});
    return streams.byId(id);
  });
  expect(read).toEqual(streamOf('front'));
});

it('are forgotten with the write that added them, and added by the next', async () => {
  const first = await added('front');
  const undone = database.write(['streams'], async (transaction) => {
    await streams.idOf(transaction, 'binary', streamOf('rear'));
    throw new Error('full');
  });
  await expect(undone).rejects.toThrow('full');
  expect(streams.ofOrganization('binary', streamOf('rear').organizationId)).toEqual([first]);
  const again = await added('rear');
  const stored = await database.read(['streams'], (transaction) => transaction.objectStore('streams').getAllKeys());
  expect(stored).toEqual([first, again]);
});
