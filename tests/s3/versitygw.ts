import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { vi } from 'vitest';
import type { S3Place } from '../../src/platform/node/s3-blob-store/s3-place.ts';

const name = process.platform === 'win32' ? 'versitygw.exe' : 'versitygw';
const goPath = process.env['GOPATH'] ?? join(homedir(), 'go');
const folders = [...(process.env['PATH'] ?? '').split(delimiter), process.env['GOBIN'] ?? '', join(goPath, 'bin')];

/** The S3 server that the tests use; null: this machine has none, `.ci/run` says how to install it. */
export const versitygw =
  folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null;

export interface TestS3 {
  readonly place: S3Place;
  readonly port: number;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** the bucket as a folder */
  readonly folder: string;
  close(): Promise<void>;
}

/** Starts a store of its own on loopback, with one empty bucket. */
export async function startVersitygw(): Promise<TestS3> {
  const root = await mkdtemp(join(tmpdir(), 'sightglass-s3-'));
  const folder = join(root, 'sightglass');
  await mkdir(folder);
  const port = await freePort();
  const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
  const child = spawn(versitygw!, ['--port', `127.0.0.1:${port}`, '--health', '/health', '--quiet', 'posix', root], {
    stdio: 'ignore',
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  });
  const exit = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${endpoint}/health`), { timeout: 30_000, interval: 10 });
  return {
    place: { bucket: 'sightglass', prefix: '', endpoint, region: 'us-east-1' },
    port,
    credentials,
    folder,
    async close() {
      child.kill('SIGKILL');
      await exit;
      await rm(root, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
