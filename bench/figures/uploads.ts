import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Transport } from '@connectrpc/connect';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { timedCalls } from '../at-a-time.ts';
import { median, medianRatio, type Figure } from '../figure.ts';
import { startBareServer, startRealServer } from '../real-server.ts';

const rounds = 12;
const uploadsARound = 48;
const atATime = 8;
const contentBytes = 1 << 20;

export const figure: Figure = {
  title: '1 MiB uploads over gRPC-Web to a server that syncs them to its disk, against a bare Connect handler',
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-uploads-'));
    const bare = await startBareServer(root);
    const real = await startRealServer(root, folder);
    try {
      const speeds: Record<'bare' | 'real', number[]> = { bare: [], real: [] };
      for (let round = -2; round < rounds; round++) {
        for (const [name, transport] of [
          ['bare', bare.transport],
          ['real', real.transport],
        ] as const) {
          const perSecond = await uploadsPerSecond(transport, real.partId, round);
          if (round >= 0) speeds[name].push(perSecond);
        }
      }
      const spread = (name: 'bare' | 'real') =>
        `${median(speeds[name]).toFixed(0)} MiB/s (${Math.min(...speeds[name]).toFixed(0)}–${Math.max(...speeds[name]).toFixed(0)})`;
      note(
        `bare ${spread('bare')}, with the service ${spread('real')}; ${atATime} at a time, each synced when answered`,
      );
      const value = medianRatio(speeds.real, speeds.bare);
      return [{ name: 'uploads of the service over bare ones', value, unit: '×', atLeast: 0.6 }];
    } finally {
      await Promise.all([real.close(), bare.close()]);
      await rm(folder, { recursive: true });
    }
  },
};

async function uploadsPerSecond(transport: Transport, partId: string, round: number): Promise<number> {
  const client = createClient(DataSyncService, transport);
  const content = new Uint8Array(contentBytes);
  for (let at = 0; at < contentBytes; at++) content[at] = (at * 31 + (at >> 8)) & 0xff;
  const ms = await timedCalls(uploadsARound, atATime, (sent) => {
    content[0] = sent & 0xff;
    content[1] = round & 0xff;
    return client.dataCaptureUpload({
      metadata: { partId, type: DataType.BINARY_SENSOR, componentName: 'cam', fileExtension: '.jpg' },
      sensorContents: [{ data: { case: 'binary', value: content } }],
    });
  });
  return (1000 * uploadsARound) / ms;
}
