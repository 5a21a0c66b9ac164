import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { median, type Figure } from '../figure.ts';
import { quantile } from '../quantile.ts';
import { startRealServer } from '../real-server.ts';

const floods = 300;
const downloads = 50;
/** HTTP status; 0: the connection was refused, because one address has too many */
type Status = number;
/** not the address of the downloading client; every address of 127.0.0.0/8 is this computer */
const floodAddress = '127.0.0.2';

export const figure: Figure = {
  title: `a download of 12 bytes beside ${floods} requests at once with a wrong key, against the same alone`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-keys-'));
    const server = await startRealServer(root, folder);
    try {
      const { binaryDataId } = await createClient(DataSyncService, server.transport).dataCaptureUpload({
        metadata: { partId: server.partId, type: DataType.BINARY_SENSOR, componentName: 'cam' },
        sensorContents: [{ data: { case: 'binary', value: new Uint8Array(12) } }],
      });
      const url = `${server.url}data/files/${binaryDataId}`;
      const download = async (): Promise<number> => {
        const startMs = performance.now();
        const { status } = await request(url, { key_id: server.keyId, key: server.key });
        if (status !== 200) throw new Error(`The download was answered with ${status}.`);
        return performance.now() - startMs;
      };
      const timesOf = async (): Promise<number[]> => {
        const times: number[] = [];
        for (let n = 0; n < downloads; n++) times.push(await download());
        return times;
      };
      await timesOf(); // warm-up
      const alone = await timesOf();
      const agent = new Agent({ localAddress: floodAddress, maxSockets: floods });
      const flood = Promise.all(
        Array.from({ length: floods }, (_, n) =>
          request(url, { key_id: server.keyId, key: `wrong-${n}` }, agent).catch(() => ({ status: 0 })),
        ),
      );
      const first = await download();
      const beside = [first, ...(await timesOf())];
      const answers: Status[] = (await flood).map(({ status }) => status);
      agent.destroy();
      const [slowest, usual] = [Math.max(...beside), quantile(alone, 0.99)];
      note(
        `alone p50 ${median(alone).toFixed(1)} ms; beside p50 ${median(beside).toFixed(1)} ms, at most ${slowest.toFixed(0)} ms`,
      );
      note(
        `the flood was answered ${[...new Set(answers)].map((status) => `${answers.filter((one) => one === status).length} × ${status}`).join(', ')}`,
      );
      return [
        { name: 'the slowest download beside the flood', value: slowest, unit: 'ms', atMost: 1000 },
        { name: 'the slowest download beside the flood over p99 alone', value: slowest / usual, unit: '×' },
        {
          name: 'wrong keys that were let in',
          value: answers.filter((status) => status === 200).length,
          unit: '',
          atMost: 0,
        },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

function request(url: string, headers: Record<string, string>, agent?: Agent): Promise<{ status: Status }> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode! }));
    }).once('error', reject);
  });
}
