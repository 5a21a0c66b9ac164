import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { median, type Figure } from '../figure.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

const readers = 30;
const pictures = 20;
const pictureBytes = 1_400_000;
const pages = 5;

export const figure: Figure = {
  title: `a server of which ${readers} clients ask for a page of ${pictures} pictures of ${pictureBytes / 1e6} MB, and take none of it`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-readers-'));
    const server = await startRealServer(root, folder);
    try {
      await upload(server);
      const alone = await pageMs(server);
      const idle = await residentMb(server.pid);
      const authorization = await tokenOf(server);
      const slow = Array.from({ length: readers }, () => ask(server.url, authorization));
      await Promise.race([Promise.all(slow), new Promise((resolve) => setTimeout(resolve, 5000))]);
      const during = await pageMs(server);
      const highest = await residentMb(server.pid);
      note(`${idle.toFixed(0)} MB before, ${highest.toFixed(0)} MB with them`);
      note(`a page of another client takes ${alone.toFixed(0)} ms alone, ${during.toFixed(0)} ms beside them`);
      return [
        { name: 'memory with slow readers over that before', value: highest / idle, unit: '×', atMost: 1.5 },
        { name: 'a page of another beside them over alone', value: during / alone, unit: '×', atMost: 3 },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

async function upload({ transport, partId }: RealServer): Promise<void> {
  const sync = createClient(DataSyncService, transport);
  const value = new Uint8Array(pictureBytes).map((_, at) => (at * at) >> 5);
  for (let n = 0; n < pictures; n++) {
    const metadata = { partId, type: DataType.BINARY_SENSOR, componentName: 'cam', fileExtension: '.jpg' };
    await sync.dataCaptureUpload({ metadata, sensorContents: [{ data: { case: 'binary', value } }] });
  }
}

/** Median time in ms for loading a page with all pictures. */
async function pageMs({ transport }: RealServer): Promise<number> {
  const data = createClient(DataService, transport);
  const times: number[] = [];
  for (let page = 0; page < pages; page++) {
    const startMs = performance.now();
    const { count } = await data.binaryDataByFilter({ includeBinary: true }, { timeoutMs: 100_000 });
    if (count !== BigInt(pictures)) throw new Error(`A page has ${count} pictures.`);
    times.push(performance.now() - startMs);
  }
  return median(times);
}

/** Requests a page without reading it. Resolves when the answer starts. Never rejects, because the server may end first. */
async function ask(url: string, authorization: string): Promise<void> {
  const asked = request(`${url}viam.app.data.v1.DataService/BinaryDataByFilter`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
  });
  asked.on('error', () => undefined);
  asked.end(JSON.stringify({ includeBinary: true }));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
}

async function tokenOf({ url, keyId, key }: RealServer): Promise<string> {
  const answer = await fetch(`${url}proto.rpc.v1.AuthService/Authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entity: keyId, credentials: { type: 'api-key', payload: key } }),
  });
  return `Bearer ${((await answer.json()) as { accessToken: string }).accessToken}`;
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}
