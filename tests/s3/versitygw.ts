import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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
  readonly pid: number;
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
  await answers(`${endpoint}/health`);
  return {
    place: { bucket: 'sightglass', prefix: '', endpoint, region: 'us-east-1' },
    port,
    pid: child.pid!,
    credentials,
    folder,
    async close() {
      child.kill('SIGKILL');
      await exit;
      await rm(root, { recursive: true });
    },
  };
}

const startsWithinMs = 30_000;

/** Asks until somebody answers. */
async function answers(url: string): Promise<void> {
  for (const startMs = Date.now(); ; await setTimeout(10)) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (Date.now() - startMs > startsWithinMs) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
