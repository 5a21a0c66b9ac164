import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { median, type Figure } from '../figure.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

// all of 127.0.0.0/8 is this machine
const honestAddress = '127.0.0.6';
const floodMs = 40_000;
const warmUpCalls = 50;
const quietCalls = 300;
const pauseMs = 50;

export const figure: Figure = {
  title: 'honest calls beside 5 addresses without a key, each with 250 connections that send an Authenticate slowly',
  async measure({ root, note, at }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-strangers-'));
    const server = await startRealServer(root, folder);
    try {
      const ask = await honestClient(server);
      for (let n = 0; n < warmUpCalls; n++) await ask();
      at('in the quiet');
      const quiet: number[] = [];
      for (let n = 0; n < quietCalls; n++) {
        quiet.push((await ask()).ms);
        await pause(pauseMs);
      }
      at('beside the flood');
      const flood = await startFlood(server.url);
      const endMs = performance.now() + floodMs;
      const beside: { readonly ms: number; readonly status: number }[] = [];
      while (performance.now() < endMs) {
        beside.push(await ask());
        await pause(pauseMs);
      }
      const refused = beside.filter(({ status }) => status !== 200).length;
      const opened = await flood.end();
      const times = beside.map(({ ms }) => ms);
      const inWords = (values: readonly number[]): string =>
        `p50 ${median(values).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms, at most ${Math.max(...values).toFixed(0)} ms`;
      note(`quiet, ${quiet.length} calls: ${inWords(quiet)}`);
      note(`beside the flood, ${times.length} calls: ${inWords(times)}; it opened ${opened} connections`);
      return [
        {
          name: 'p99 of honest calls beside the flood over that in the quiet',
          value: quantile(times, 0.99) / quantile(quiet, 0.99),
          unit: '×',
          atMost: 3,
        },
        { name: 'honest calls that were refused or cut off', value: refused, unit: '', atMost: 0 },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** Runs in a thread of its own, so that the honest client is not measured waiting for the flood's own work. */
async function startFlood(url: string): Promise<{ end(): Promise<number> }> {
  const worker = new Worker(new URL('../slow-flood.ts', import.meta.url), { workerData: Number(new URL(url).port) });
  await once(worker, 'message');
  return {
    async end() {
      worker.postMessage('end');
      const [opened] = (await once(worker, 'message')) as [number];
      await worker.terminate();
      return opened;
    },
  };
}

/** Asks for an Authenticate, a page or whether the server is alive, in turn, each on a connection of its own. */
async function honestClient({ url, keyId, key }: RealServer) {
  const credentials = { entity: keyId, credentials: { type: 'api-key', payload: key } };
  const login = (): Promise<Answer> => post(`${url}proto.rpc.v1.AuthService/Authenticate`, {}, credentials);
  const { text } = await login();
  const authorization = `Bearer ${(JSON.parse(text) as { readonly accessToken: string }).accessToken}`;
  const turns = [
    login,
    () => post(`${url}viam.app.data.v1.DataService/BinaryDataByFilter`, { authorization }, {}),
    () => send(`${url}healthz`, 'GET', {}, ''),
  ];
  let turn = 0;
  return async (): Promise<{ readonly ms: number; readonly status: number }> => {
    const startMs = performance.now();
    const { status } = await turns[turn++ % turns.length]!();
    return { ms: performance.now() - startMs, status };
  };
}

interface Answer {
  /** 0: the connection was cut off */
  readonly status: number;
  readonly text: string;
}

const post = (url: string, headers: Readonly<Record<string, string>>, message: object): Promise<Answer> =>
  send(url, 'POST', { ...headers, 'content-type': 'application/json' }, JSON.stringify(message));

function send(url: string, method: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  return new Promise((resolve) => {
    const cutOff = (): void => resolve({ status: 0, text: '' });
    const asked = request(url, { method, headers, agent: false, localAddress: honestAddress }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode!, text })).once('error', cutOff);
    });
    asked.once('error', cutOff).end(body);
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
