import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canUnpack, runs } from '../oracle/packed-program.ts';

const folder = fileURLToPath(new URL('../../../shared/machine/', import.meta.url));

/** A real machine is at hand, and Python with what its model module needs. Takes a moment. */
export function hasLiveMachine(): boolean {
  return (
    canUnpack(join(folder, 'viam-server-linux-amd64.xz')) && runs('python3', '-c', 'import viam, onnxruntime, numpy')
  );
}

export interface LiveMachineParts {
  /** a file that its camera shows */
  readonly framePath: string;
  readonly modelPath: string;
  readonly labelsPath: string;
  /** of its vision service "v", which runs the model service "m" on camera "cam" */
  readonly attributes: object;
}

export interface StartedMachine {
  readonly url: string;
  /** the file that it watches */
  readonly configPath: string;
  close(): Promise<void>;
}

/** Starts a real machine on loopback and waits until its service is built. */
export async function startLiveMachine({
  framePath,
  modelPath,
  labelsPath,
  attributes,
}: LiveMachineParts): Promise<StartedMachine> {
  const port = await freePort();
  const args = [String(port), framePath, modelPath, JSON.stringify(attributes), labelsPath];
  const child = spawn('bash', [join(folder, 'start'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let log = '';
  const isUp = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (/"event":"complete","resource":"rdk:service:vision\/v"/.test(log)) resolve();
      });
    }
  });
  const died = ended.then(() => {
    throw new Error(`The machine ended before its service was built:\n${log}`);
  });
  died.catch(() => undefined);
  await Promise.race([isUp, died]);
  return {
    url: `http://localhost:${port}`,
    configPath: /^configuration: (.*)$/m.exec(log)![1]!,
    async close() {
      child.kill('SIGTERM');
      await ended;
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
