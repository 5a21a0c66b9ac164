import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readSeeded, seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients, clientsWithToken } from './server-clients.ts';
import { binPath, startServerProcess, temporaryFolder } from './server-process.ts';
import { describeShared, type SharedStore } from './shared-places.ts';

const tools = ['pg_dump', 'pg_restore', 'psql', 'aws'];
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
const [backUp = '', restore = ''] = [
  ...(await readFile('docs/operations.md', 'utf8')).matchAll(/^```sh run\n([^]*?)^```$/gm),
].map(([, script]) => script!);

/** Uploads before the backup begins, and after that at least. */
const [before, during] = [60, 20];

describeShared('the backup of a database and a bucket, as docs/operations.md shows it', (places) => {
  it.skipIf(missing.length > 0)(
    `loses nothing that was acknowledged before it began (skipped without ${missing.join(', ') || 'its tools'})`,
    { timeout: 180_000 },
    async () => {
      const store = await places().newStore();
      const host = await store.startHost();
      const { partId } = host.firstStart!;
      const { accessToken, ...clients } = await authenticatedClients(host.origin, host.firstStart!, 'grpc');
      const uploads = seededUploads(31, 5000);
      const acknowledged: string[] = [];
      let [next, isDone] = [0, false];
      const upload = async (): Promise<void> => {
        while (!isDone && next < uploads.length) {
          const one = uploads[next++]!;
          await send(clients, one, partId);
          acknowledged.push(one.uploadId);
        }
      };
      const uploading = Promise.all([upload(), upload()]);
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before);
      const promised = [...acknowledged];

      const run = await terminalOf(store);
      await run(backUp);
      const ofBackup = acknowledged.length;
      isDone = true;
      await uploading;
      expect(ofBackup).toBeGreaterThan(promised.length + during); // uploads went on meanwhile
      expect(await host.end('SIGTERM')).toBe(0);

      const { stdout } = await run(restore);
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({ damagedFiles: 0, stoppedBy: null });
      const environment = { ...store.environment, SIGHTGLASS_DATABASE: run.addressOf('restored') };
      const args = ['--blobs', run.translate(restoredBlobs)];
      const restored = await startServerProcess(null, { args, environment });
      expect(restored.firstStart).toBeNull();
      const readers = clientsWithToken(restored.origin, accessToken, 'grpc');
      const { times } = await readSeeded(readers, new Map(uploads.map((one) => [one.uploadId, one])));
      expect(promised.filter((uploadId) => times.get(uploadId) !== 1)).toEqual([]);
    },
  );
});

const restoredBlobs = 's3://sightglass-restored/site?endpoint=https://s3.example.org&region=home';

/** Runs what the page shows, in a folder of its own, with its places exchanged for those of the test. */
async function terminalOf({ args, environment }: SharedStore) {
  const cwd = await temporaryFolder();
  const { pathname: database, search } = new URL(environment['SIGHTGLASS_DATABASE']!);
  const [, blobs, endpoint] = /^(s3:\/\/.+)\?endpoint=(.+)$/.exec(args[1]!)!;
  const addressOf = (name: string): string => `postgres://postgres@localhost/${name}${search}`;
  const translate = (text: string): string =>
    text
      .replaceAll(/postgres:\/\/sightglass@db\.example\.org\/(\w+)/g, (_, name: string) =>
        addressOf(name === 'sightglass' ? database.slice(1) : name),
      )
      .replaceAll(/s3:\/\/sightglass\/site/g, blobs!)
      .replaceAll('endpoint=https://s3.example.org&region=home', `endpoint=${endpoint!}`);
  // the page gives the address
  const { SIGHTGLASS_DATABASE: _address, ...keys } = environment;
  const env = { ...process.env, ...keys, AWS_ENDPOINT_URL: endpoint!, AWS_DEFAULT_REGION: 'us-east-1' };
  const sightglass = `sightglass() { "${process.execPath}" "${binPath}" "$@"; }\n`;
  const run = (script: string) => promisify(execFile)('sh', ['-euc', sightglass + translate(script)], { cwd, env });
  return Object.assign(run, { addressOf, translate });
}
