import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemberInDatabase } from '../clients/add-member.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeOperations, type ServiceClients } from '../clients/operation-scenarios.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { codeOf } from '../data-service-fixture.ts';
import { runHere } from './run-here.ts';
import { readSeeded, seededUploads, send, type SeededUpload } from './seeded-uploads.ts';
import { authenticatedClients, clientsWithToken } from './server-clients.ts';
import { binPath } from './server-process.ts';
import { databasePassword, describeShared, type SharedStore } from './shared-places.ts';

/** Runs a command on a store that hosts share, and waits for its exit. */
function sightglass(
  environment: SharedStore['environment'],
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, [binPath, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Sends each call to the next of several hosts, as a balancer does. */
function alternating(transports: readonly Transport[]): Transport {
  let calls = 0;
  const next = (): Transport => transports[calls++ % transports.length]!;
  return { unary: (...call) => next().unary(...call), stream: (...call) => next().stream(...call) };
}

describeShared('hosts that share a database and a bucket', (places) => {
  it('show each other what they take, page on where another began, and delete for each other', async () => {
    const store = await places().newStore();
    const one = await store.startHost();
    const other = await store.startHost();
    expect(other.firstStart).toBeNull();
    const { partId } = one.firstStart!;
    const { accessToken, ...first } = await authenticatedClients(one.origin, one.firstStart!, 'grpc');
    const second = clientsWithToken(other.origin, accessToken, 'grpc-web');
    const uploads = seededUploads(11, 40);
    for (const [n, upload] of uploads.entries()) await send(n % 2 === 0 ? first : second, upload, partId);
    const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]));
    for (const clients of [first, second]) expect((await readSeeded(clients, byId)).times.size).toBe(40);

    const ids: string[] = [];
    for (let [last, turn] = ['', 0]; ; turn++) {
      const { data } = turn % 2 === 0 ? first : second;
      const page = await data.binaryDataByFilter({ dataRequest: { limit: 3n, last } });
      if (page.data.length === 0) break;
      ids.push(...page.data.map(({ metadata }) => metadata!.binaryDataId));
      last = page.last;
    }
    const files = uploads.filter(({ kind }) => kind !== 'tabular').length;
    expect([ids.length, new Set(ids).size]).toEqual([files, files]);

    const [gone] = ids as [string];
    const { signedUrl } = await first.data.createBinaryDataSignedURL({ binaryDataId: gone });
    const elsewhere = signedUrl.replace(one.origin, other.origin);
    expect((await fetch(elsewhere)).status).toBe(200);
    expect((await second.data.deleteBinaryDataByIDs({ binaryDataIds: [gone] })).deletedCount).toBe(1n);
    expect(await codeOf(first.data.binaryDataByIDs({ binaryDataIds: [gone] }))).toBe('NotFound');
    expect((await fetch(signedUrl)).status).toBe(404);
  });

  it('begin at the same time on an empty database: one organization, and each key that is told is good at each', async () => {
    const store = await places().newStore();
    const hosts = await Promise.all([1, 2, 3].map(() => store.startHost()));
    const told = hosts.flatMap(({ firstStart }) => firstStart ?? []);
    expect(new Set(told.map(({ organizationId, partId }) => `${organizationId} ${partId}`)).size).toBe(1);
    for (const [n, key] of told.entries()) {
      const clients = await authenticatedClients(hosts[(n + 1) % 3]!.origin, key, 'grpc');
      await send(clients, { uploadId: `from-${n}`, kind: 'capture', size: 10 }, key.partId);
      expect((await clients.data.binaryDataByFilter({ countOnly: true })).count).toBe(BigInt(n + 1));
    }
  });

  it('lose nothing that was acknowledged when one of them is killed in the midst of uploads', async () => {
    const store = await places().newStore();
    const [one, other] = [await store.startHost(), await store.startHost()];
    const { partId } = one.firstStart!;
    const { accessToken } = await authenticatedClients(one.origin, one.firstStart!, 'grpc');
    const uploads = seededUploads(12, 120);
    const clients = [one, other].map(({ origin }) => clientsWithToken(origin, accessToken, 'grpc'));
    const acknowledged = new Map<string, string>();
    const undecided: SeededUpload[] = [];
    const waiting = [...uploads];
    let isKilled = false;
    const uploadAll = async (host: number): Promise<void> => {
      for (let upload = waiting.shift(); upload !== undefined; upload = waiting.shift()) {
        try {
          acknowledged.set(upload.uploadId, await send(clients[host]!, upload, partId));
        } catch (error) {
          if (host === 1 || !isKilled) throw error;
          undecided.push(upload);
          return;
        }
        if (acknowledged.size >= 40 && !isKilled) {
          isKilled = true;
          one.process.kill('SIGKILL');
        }
      }
    };
    await Promise.all([0, 1, 0, 1, 0, 1, 0, 1].map(uploadAll));
    expect(undecided.length).toBeGreaterThan(0); // otherwise the kill has interrupted no upload
    const byId = new Map(uploads.map((upload) => [upload.uploadId, upload]));
    const stored = await readSeeded(clients[1]!, byId);
    for (const [uploadId, id] of acknowledged) {
      expect(stored.times.has(uploadId), `${uploadId} was acknowledged`).toBe(true);
      if (byId.get(uploadId)!.kind !== 'tabular') expect(stored.ids.get(uploadId)).toBe(id);
    }
    // what the killed host did not answer is sent again, to the other one
    for (const upload of undecided) {
      const id = await send(clients[1]!, upload, partId);
      if (stored.ids.has(upload.uploadId)) expect(id).toBe(stored.ids.get(upload.uploadId));
    }
    const all = await readSeeded(clients[1]!, byId);
    expect([all.times.size, [...all.times.values()].every((times) => times === 1)]).toEqual([120, true]);
  });

  it('wait for their database and their bucket: calls fail in words, /readyz says why, and all goes on afterwards', async () => {
    const store = await places().newStore();
    const host = await store.startHost(['--log-level', 'debug']);
    const { partId } = host.firstStart!;
    const clients = await authenticatedClients(host.origin, host.firstStart!, 'grpc');
    const [, ...uploads] = seededUploads(13, 12).filter(({ kind }) => kind === 'file' || kind === 'stream');
    const [before, during, after] = uploads as [SeededUpload, SeededUpload, SeededUpload];
    const ready = async () => {
      const answer = await fetch(`${host.origin}/readyz`);
      return [answer.status, (await answer.text()).trim()] as const;
    };
    await send(clients, before, partId);
    expect(await ready()).toEqual([200, 'ready']);

    await places().postgres.halt();
    expect(await ready()).toEqual([503, 'The database cannot be reached. Try again.']);
    expect((await fetch(`${host.origin}/healthz`)).status).toBe(200);
    expect(await codeOf(send(clients, during, partId))).toBe('Unavailable');
    expect(await codeOf(clients.data.binaryDataByFilter({}))).toBe('Unavailable');
    await places().postgres.restart();
    await expect.poll(ready).toEqual([200, 'ready']);
    await send(clients, during, partId);

    places().setBucketFault({ kind: 'status', status: 503, retryAfter: null });
    expect(await ready()).toEqual([503, expect.stringMatching(/^The bucket "sightglass" could not be read \(503.*/)]);
    expect(await codeOf(send(clients, after, partId))).toBe('Unavailable');
    places().setBucketFault({ kind: 'keep-answer' });
    expect(await ready()).toEqual([503, expect.stringMatching(/^The bucket/)]);
    places().setBucketFault({ kind: 'none' });
    await expect.poll(ready).toEqual([200, 'ready']);
    await send(clients, after, partId);
    const stored = await readSeeded(clients, new Map(uploads.map((upload) => [upload.uploadId, upload])));
    expect([...stored.times.keys()].sort()).toEqual([before, during, after].map(({ uploadId }) => uploadId).sort());

    expect(await host.end('SIGTERM')).toBe(0);
    const log = host.stderr();
    expect(log).toContain('the bucket took 1 of 32 puts');
    expect(log).toContain('"settings":["fsync = off"]');
    expect(log).toContain('the store cannot be used');
    expect(log).toContain(`It is ${places().postgres.folder}/store_`);
    expect(log).toContain('the store can be used again');
    for (const text of [log, host.stdout()]) {
      for (const secret of [databasePassword, places().s3.credentials.secretAccessKey, 'AWS4-HMAC']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'are not ready while their database is silent, and calls that waited for it are answered',
    async () => {
      const store = await places().newStore();
      const host = await store.startHost();
      const clients = await authenticatedClients(host.origin, host.firstStart!, 'grpc');
      const goOn = places().postgres.freeze();
      const asked = clients.data.binaryDataByFilter({ countOnly: true });
      try {
        const answer = await fetch(`${host.origin}/readyz`);
        const words = expect.stringMatching(/^The database does not answer within 3 s\./);
        expect([answer.status, await answer.text()]).toEqual([503, words]);
        expect((await fetch(`${host.origin}/healthz`)).status).toBe(200);
      } finally {
        goOn();
      }
      expect((await asked).count).toBe(0n);
      await expect.poll(async () => (await fetch(`${host.origin}/readyz`)).status).toBe(200);
    },
  );

  it('delete by age where one of them has a rule, as far as the rule goes', async () => {
    const store = await places().newStore();
    const one = await store.startHost();
    const { partId } = one.firstStart!;
    const { data, sync } = await authenticatedClients(one.origin, one.firstStart!, 'grpc');
    const daysAgo = (days: number) => timestampFromDate(new Date(Date.now() - days * 86_400_000));
    for (const days of [100, 20]) {
      await sync.dataCaptureUpload({
        metadata: { partId, componentName: 'thermometer', type: DataType.TABULAR_SENSOR },
        sensorContents: [
          {
            metadata: { timeRequested: daysAgo(days), timeReceived: daysAgo(days) },
            data: { case: 'struct', value: { days } },
          },
        ],
      });
    }
    await store.startHost(['--keep', '90d']);
    const left = async () => (await data.tabularDataByFilter({})).data.map(({ data: reading }) => reading);
    await expect.poll(left).toEqual([{ days: 20 }]);
  });

  it('delete bytes that no row owns once they are older than a day, and no others', async () => {
    const { blobFolder, startHost } = await places().newStore();
    const [old, young] = [randomUUID(), randomUUID()];
    await mkdir(blobFolder, { recursive: true });
    for (const name of [old, young]) await writeFile(join(blobFolder, name), 'left behind');
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    await utimes(join(blobFolder, old), twoDaysAgo, twoDaysAgo);
    await startHost();
    await expect.poll(() => readdir(blobFolder)).toEqual([young]);
  });

  it('are looked after by commands on their database: a key that is made is good at each, until it is revoked', async () => {
    const store = await places().newStore();
    const hosts = [await store.startHost(), await store.startHost()];
    const made = await runHere(['keys', 'create', 'rover'], store.environment);
    const { key: keyId, secret: key } = made.lines[0] as { readonly key: string; readonly secret: string };
    const clients = await Promise.all(hosts.map(({ origin }) => authenticatedClients(origin, { keyId, key }, 'grpc')));
    const asked = () => Promise.all(clients.map(({ data }) => codeOf(data.binaryDataByFilter({ countOnly: true }))));
    expect(await asked()).toEqual(['ok', 'ok']);
    expect((await runHere(['keys', 'revoke', keyId], store.environment)).code).toBe(0);
    expect(await asked()).toEqual(['Unauthenticated', 'Unauthenticated']);
    const confirmed = await runHere(['clock', 'confirm'], store.environment);
    expect(confirmed.lines[0]).toMatchObject({ clock: 'confirmed', lastSeen: expect.any(String) });
  });

  it('hold an organization to its quota, whichever is asked, and tell what it stores', async () => {
    const store = await places().newStore();
    const hosts = [await store.startHost(), await store.startHost()] as const;
    const { organizationId, partId, keyId, key } = hosts[0].firstStart!;
    const clients = await Promise.all(hosts.map(({ origin }) => authenticatedClients(origin, { keyId, key }, 'grpc')));
    const upload = (host: number, bytes: number) =>
      clients[host]!.sync.dataCaptureUpload({
        metadata: { partId, type: DataType.BINARY_SENSOR, fileExtension: '.bin' },
        sensorContents: [{ data: { case: 'binary', value: new Uint8Array(bytes) } }],
      });
    const { binaryDataId } = await upload(0, 600);
    const set = await runHere(['orgs', 'quota', organizationId, '1kB'], store.environment);
    expect(set.lines[0]).toMatchObject({ files: 1, fileBytes: 600, quotaBytes: 1000 });
    for (const host of [0, 1]) {
      const refused = await upload(host, 401).catch((error: unknown) => (error as Error).message);
      expect(refused).toMatch(/resource_exhausted.*stores 600 B of its quota of 1 kB, and 401 B more do not fit/);
    }
    expect(await readdir(store.blobFolder)).toHaveLength(1);
    await clients[0]!.data.deleteBinaryDataByIDs({ binaryDataIds: [binaryDataId] });
    await upload(1, 1000);
    for (const { origin } of hosts) {
      const text = await (await fetch(`${origin}/metrics`)).text();
      expect(text).toContain('sightglass_stored_bytes{kind="files"} 1000\n');
    }
  });

  it('do not begin where the database or the bucket cannot be used, and say why without a secret', async () => {
    const store = await places().newStore();
    const { SIGHTGLASS_DATABASE: url } = store.environment as { readonly SIGHTGLASS_DATABASE: string };
    const serve = ['serve', '--port', '0', ...store.args];
    const wrong: readonly (readonly [Readonly<Record<string, string>>, readonly string[], RegExp])[] = [
      [
        { SIGHTGLASS_DATABASE: url.replace(/store_\d+/, 'nothing') },
        serve,
        /"unavailable".*refuses this host.*nothing/,
      ],
      [{ AWS_SECRET_ACCESS_KEY: 'another-secret' }, serve, /"unavailable".*the key is refused/],
      [{}, ['serve', '--blobs', store.args[1]!.replace('sightglass', 'missing')], /no such bucket/],
    ];
    for (const [environment, argv, words] of wrong) {
      const { code, stdout, stderr } = await sightglass({ ...store.environment, ...environment }, ...argv);
      expect([code, stdout]).toEqual([1, expect.stringMatching(words)]);
      expect(stdout + stderr).not.toMatch(new RegExp(`${databasePassword}|another-secret|AWS4-HMAC`));
    }
  });

  describe('answer as one, whichever of them is asked', () => {
    let hosts: SightglassServer[] = [];
    let clients: ServiceClients;
    let databaseUrl = '';
    const record = new OperationRecord();
    beforeAll(async () => {
      const { args, environment } = await places().newStore();
      databaseUrl = environment['SIGHTGLASS_DATABASE']!;
      const options = ['--mongo-port', '0', ...args];
      hosts = [await serveSightglass(options, environment)];
      hosts.push(await serveSightglass(options, environment, hosts[0]));
      const connect = (authorization: string | null): Transport =>
        alternating(
          hosts.map(({ origin: baseUrl }) =>
            createGrpcTransport({ baseUrl, interceptors: [authorizing(authorization)] }),
          ),
        );
      clients = await login(hosts[0]!, connect, record);
    });
    afterAll(() => Promise.all(hosts.map((host) => host.close())));
    const addMember = () => addMemberInDatabase(databaseUrl, hosts[0]!.organizationId);
    describeOperations({ home: () => hosts[0]!, clients: () => clients, record, addMember });
  });
});
