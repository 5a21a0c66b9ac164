import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreError } from '../../src/data-service/ports/store-error.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { openPostgresAdministration } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { postgresProbe } from '../../src/platform/node/postgres-data-store/postgres-probe.ts';
import { hasPostgres, withoutPostgres } from '../postgres/postgres-server.ts';
import { postgresStores, type OpenedStore } from '../postgres/postgres-stores.ts';
import { testClock } from './data-store/blobs.ts';

describe.skipIf(!hasPostgres)(`what hosts of one PostgreSQL share (${withoutPostgres})`, () => {
  const stores = postgresStores(() => memoryDataStore(testClock).blobs);
  let opened: OpenedStore;
  beforeEach(async () => {
    opened = await stores.open();
  });
  afterEach(() => opened.close());
  const twoHosts = async () => [opened.store.installation, (await opened.openAgain()).installation] as const;

  it('remembers the latest time that any of them has seen', async () => {
    const [one, other] = await twoHosts();
    expect(await one.seenTime.read()).toBeNull();
    await one.seenTime.write(1_800_000_000_000_001);
    await other.seenTime.write(1_700_000_000_000_000);
    expect(await other.seenTime.read()).toBe(1_800_000_000_000_001);
    await other.seenTime.write(9_000_000_000_000_000);
    expect(await one.seenTime.read()).toBe(9_000_000_000_000_000);
  });

  it('remembers how far the check of files has come', async () => {
    const [one, other] = await twoHosts();
    expect(await one.checkState.read()).toEqual({ after: null, timeEnded: null, damaged: [] });
    const state = { after: { organizationId: 'org', time: 5, id: 'a' }, timeEnded: null, damaged: ['b'] };
    await one.checkState.write({ ...state, damaged: [] });
    await one.checkState.write(state);
    expect(await other.checkState.read()).toEqual(state);
  });

  it('is looked after without the data', async () => {
    const { access, installation, close } = await openPostgresAdministration(opened.url);
    await access.createOrganization({ id: 'org', name: 'lab', timeCreated: 1 });
    await installation.seenTime.write(7);
    await close();
    expect(await opened.store.access.listOrganizations()).toEqual([{ id: 'org', name: 'lab', timeCreated: 1 }]);
    expect(await opened.store.installation.seenTime.read()).toBe(7);
  });

  it('has settings by which it may lose what was acknowledged, which are told', async () => {
    expect(await opened.store.laxSettings()).toEqual([
      'fsync = off',
      'full_page_writes = off',
      'synchronous_commit = off',
    ]);
  });

  it('is probed over a connection of its own, and the probe says in words what is wrong', async () => {
    const probe = postgresProbe(opened.url, 1000);
    await probe.ask();
    await probe.close();
    const nowhere = postgresProbe('postgres://keeper:opensesame@127.0.0.1:1/sightglass', 1000);
    const failure: unknown = await nowhere.ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: 'The database cannot be reached. Try again.',
      detail: expect.stringMatching(/^It is 127\.0\.0\.1:1\/sightglass: /),
    });
    expect((failure as StoreError).detail).not.toContain('opensesame');
    await nowhere.close();
  });
});
