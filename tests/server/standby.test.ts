import { expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../data-service-fixture.ts';
import { readSeeded, seededUploads, send, type SeededUpload } from './seeded-uploads.ts';
import { authenticatedClients, clientsWithToken } from './server-clients.ts';
import { describeShared } from './shared-places.ts';

const lanes = 16;
const mostBytes = 4000;
/** While the standby is being promoted, uploads are refused at once, and sent again. */
const mostTries = 1000;
const [count, before] = process.env['NIGHTLY'] ? [1000, 300] : [300, 100];

describeShared('hosts of a database that has a standby', (places) => {
  it('lose nothing that was acknowledged where the primary is killed and the standby promoted amid uploads', async () => {
    const { postgres } = places();
    const standby = await postgres.startStandby();
    onTestFinished(() => standby.stop());
    const store = await places().newStore([standby]);
    const hosts = [await store.startHost(), await store.startHost()];
    const { firstStart } = hosts[0]!;
    const { partId } = firstStart!;
    const { accessToken } = await authenticatedClients(hosts[0]!.origin, firstStart!, 'grpc');
    const clients = hosts.map(({ origin }) => clientsWithToken(origin, accessToken, 'grpc'));
    const uploads = seededUploads(14, count).map((upload) => ({ ...upload, size: Math.min(upload.size, mostBytes) }));
    const acknowledged = new Map<string, string>();
    const refusals = new Map<string, number>();
    let promoted: Promise<unknown> | null = null;
    const sendUntilAcknowledged = async (upload: SeededUpload, lane: number): Promise<void> => {
      for (let tries = 1; ; tries++) {
        const sent = send(clients[(lane + tries) % 2]!, upload, partId);
        const code = await codeOf(sent);
        if (code === 'ok') {
          acknowledged.set(upload.uploadId, await sent);
          return;
        }
        expect([code, tries < mostTries]).toEqual(['Unavailable', true]);
        refusals.set(upload.uploadId, tries);
        await promoted;
      }
    };
    const waiting = [...uploads];
    const sendAll = async (lane: number): Promise<void> => {
      for (let upload = waiting.shift(); upload !== undefined; upload = waiting.shift()) {
        await sendUntilAcknowledged(upload, lane);
        if (acknowledged.size < before || promoted !== null) continue;
        promoted = postgres.halt().then(() => standby.ask('SELECT pg_promote()'));
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => sendAll(lane)));
    expect(refusals.size).toBeGreaterThan(0); // otherwise nothing was interrupted
    const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]));
    const { times, ids } = await readSeeded(clients[1]!, byId);
    expect([times.size, [...times.values()].filter((copies) => copies !== 1)]).toEqual([count, []]);
    for (const [uploadId, id] of ids) expect(id).toBe(acknowledged.get(uploadId));
    for (const { origin } of hosts) expect(await (await fetch(`${origin}/readyz`)).text()).toBe('ready\n');
  });
});
