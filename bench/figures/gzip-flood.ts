import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { DataCaptureUploadRequestSchema } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import type { Figure, Measurement } from '../figure.ts';
import { startRealServer } from '../real-server.ts';

const contents = DataCaptureUploadRequestSchema.field.sensorContents.number;
const floods = 20;
const rounds = 3;
/** sizes of a random part, which gzip hardly compresses, and a blank part; together 0.6 MB compressed */
const [randomLength, blankLength] = [550_000, 60 * 2 ** 20];
/** length of a text that the service still accepts; it needs two bytes a character in memory */
const readLength = 15 * 2 ** 20;
/** numbers of nested messages, of two bytes each */
const [mostParts, tooManyParts] = [450_000, 30 * 2 ** 20];
const path = 'viam.app.datasync.v1.DataSyncService/DataCaptureUpload';

const blanks = (): Buffer => Buffer.concat([randomBytes(randomLength), Buffer.alloc(blankLength, 0x20)]);
const bomb = (): Buffer<ArrayBuffer> => gzipSync(blanks());
/** a message whose payload is in a field of an unknown number */
const protobufBomb = (): Buffer<ArrayBuffer> => {
  const head = new BinaryWriter().tag(15, WireType.LengthDelimited).uint32(randomLength + blankLength);
  return gzipSync(Buffer.concat([head.finish(), blanks()]));
};
const text = (): Buffer<ArrayBuffer> => gzipSync(`{"note":"→${' '.repeat(readLength)}"}`);

interface Flood {
  readonly name: string;
  readonly contentType: string;
  readonly body: () => Buffer<ArrayBuffer>;
  readonly atMost?: number;
}

const empties = (count: number) => (): Buffer<ArrayBuffer> =>
  gzipSync(Buffer.alloc(2 * count, Uint8Array.of((contents << 3) | 2, 0)));

const floodsOf: readonly Flood[] = [
  { name: 'application/proto', contentType: 'application/proto', body: protobufBomb },
  {
    name: 'application/proto of as many messages as are read',
    contentType: 'application/proto',
    body: empties(mostParts),
    // The service creates objects of 57 MB for each message, and several wait for garbage collection.
    atMost: 6,
  },
  { name: 'application/proto of more messages', contentType: 'application/proto', body: empties(tooManyParts) },
  { name: 'application/json', contentType: 'application/json', body: bomb },
  { name: 'application/json that is read', contentType: 'application/json', body: text },
];

export const figure: Figure = {
  title: `resident memory of a server to which one client sends ${floods} messages at once that inflate a hundredfold`,
  async measure({ root, note }) {
    const measurements: Measurement[] = [];
    for (const { name, contentType, body, atMost = 3 } of floodsOf) {
      const packed = body();
      const { idle, highest, answers } = await flooded(root, contentType, packed);
      note(`${name}, ${(packed.length / 1e6).toFixed(2)} MB each, answered with ${answers.join(', ')}`);
      note(`${idle.toFixed(0)} MB before, ${highest.toFixed(0)} MB at most`);
      measurements.push({
        name: `memory under a flood of ${name} over that before`,
        value: highest / idle,
        unit: '×',
        atMost,
      });
    }
    return measurements;
  },
};

/** Resident memory in MB of a new server before and during the flood, and the HTTP status codes of its answers. */
async function flooded(root: string, contentType: string, body: Uint8Array<ArrayBuffer>) {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-gzip-'));
  const server = await startRealServer(root, folder);
  try {
    const authorization = await tokenOf(server.url, server.keyId, server.key);
    const headers = { 'content-type': contentType, 'content-encoding': 'gzip', authorization };
    const idle = await residentMb(server.pid);
    let highest = 0;
    const measure = async (): Promise<void> => {
      highest = Math.max(highest, await residentMb(server.pid));
    };
    const measuring = setInterval(() => void measure(), 20);
    const answers = new Set<number>();
    for (let round = 0; round < rounds; round++) {
      const sent = Array.from({ length: floods }, async () => {
        const answer = await fetch(server.url + path, { method: 'POST', headers, body });
        answers.add(answer.status);
        await answer.arrayBuffer();
      });
      await Promise.all(sent);
    }
    clearInterval(measuring);
    return { idle, highest, answers: [...answers] };
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

async function tokenOf(url: string, entity: string, payload: string): Promise<string> {
  const answer = await fetch(`${url}proto.rpc.v1.AuthService/Authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entity, credentials: { type: 'api-key', payload } }),
  });
  return `Bearer ${((await answer.json()) as { accessToken: string }).accessToken}`;
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}
