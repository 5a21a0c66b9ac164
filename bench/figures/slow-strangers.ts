import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processCpuMs } from '../cpu-time.ts';
import { median, type Figure } from '../figure.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

// every address of 127.0.0.0/8 is this computer
const honestAddress = '127.0.0.6';
const floodMs = 40_000;
const warmUpCalls = 50;
const quietCalls = 300;
const pauseMs = 50;
/** wait until the last connection of the flood is closed */
const settleMs = 2000;

export const figure: Figure = {
  title: 'honest calls beside 5 addresses without a key, each with 250 connections that send an Authenticate slowly',
  async measure({ root, note, at }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-strangers-'));
    const server = await startRealServer(root, folder);
    try {
      const ask = await honestClient(server);
      for (let n = 0; n < warmUpCalls; n++) await ask();
      const quiet: Call[] = [];
      let quietCpuMs = 0;
      const inQuiet = async (): Promise<void> => {
        at('in the quiet');
        const beforeMs = await processCpuMs(server.pid);
        for (let n = 0; n < quietCalls / 2; n++) {
          quiet.push(await ask());
          await pause(pauseMs);
        }
        quietCpuMs += (await processCpuMs(server.pid)) - beforeMs;
      };
      await inQuiet();
      at('beside the flood');
      const cpuBeforeMs = await processCpuMs(server.pid);
      const startMs = performance.now();
      const flood = startFlood(server.url);
      const beside: Call[] = [];
      while (performance.now() < startMs + floodMs) {
        beside.push(await ask());
        await pause(pauseMs);
      }
      const seconds = (performance.now() - startMs) / 1000;
      const opened = await flood.end();
      const cpuMs = (await processCpuMs(server.pid)) - cpuBeforeMs;
      at('after the flood');
      await pause(settleMs);
      await inQuiet(); // measure half before and half after the flood, because other work on the computer varies over time
      const refused = beside.filter(({ status }) => status !== 200).length;
      const [quietMs, besideMs] = [quiet, beside].map((calls) => calls.map(({ ms }) => ms)) as [number[], number[]];
      const inWords = (values: readonly number[]): string =>
        `p50 ${median(values).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms, at most ${Math.max(...values).toFixed(0)} ms`;
      note(`quiet, ${quietMs.length} calls before and after: ${inWords(quietMs)}`);
      note(`beside the flood, ${besideMs.length} calls: ${inWords(besideMs)}`);
      const floodCpuMs = cpuMs - (quietCpuMs / quiet.length) * beside.length;
      note(
        `it opened ${opened} connections, ${(opened / seconds).toFixed(0)} a second; the server took ${(floodCpuMs / opened).toFixed(2)} ms of a processor for each, ${(floodCpuMs / seconds / 10).toFixed(0)} % of one`,
      );
      return [
        {
          name: 'p99 of honest calls beside the flood over that in the quiet',
          value: quantile(besideMs, 0.99) / quantile(quietMs, 0.99),
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

/** Runs the flood in a separate process of low priority, so that the honest client does not wait for the flood's own CPU time. */
function startFlood(url: string): { end(): Promise<number> } {
  const child = fork(fileURLToPath(new URL('../slow-flood.ts', import.meta.url)), [new URL(url).port]);
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  return {
    async end() {
      child.send('end');
      const [opened] = (await once(child, 'message')) as [number];
      child.disconnect();
      return opened;
    },
  };
}

interface Call {
  readonly ms: number;
  readonly status: number;
}

/** Requests Authenticate, a page and the health check in turn, each on a new connection. */
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
  return async (): Promise<Call> => {
    const startMs = performance.now();
    const { status } = await turns[turn++ % turns.length]!();
    return { ms: performance.now() - startMs, status };
  };
}

interface Answer {
  /** 0: the connection was closed without an answer */
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
