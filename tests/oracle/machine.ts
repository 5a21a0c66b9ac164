import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeBlocks } from '../clients/code-blocks.ts';
import { canUnpack, runs, unpackProgram } from './packed-program.ts';

// A complete machine to connect to: Viam's own server, and a model module with ONNX Runtime 1.23.2 in Python. It is a test
// tool outside the repository: tests that need it are skipped if it is missing.

const folder = fileURLToPath(new URL('../../../shared/machine/', import.meta.url));
const archive = join(folder, 'viam-server-linux-amd64.xz');
const patienceMs = 60_000;

/** Whether the machine is available and can run here, with the Python packages that its model module needs. */
export const hasMachine = canUnpack(archive) && runs('python3', '-c', 'import viam, onnxruntime, numpy');

/** The model of the module's services. Their attributes: `model_path`, `label_path`. */
export const onnxModel = 'test:mlmodel:onnx';

/** The components and services of a machine's configuration. */
export interface MachineResources {
  readonly components: readonly object[];
  readonly services: readonly object[];
}

/** A data service to which the machine uploads what its data manager captures. */
export interface MachineCloud {
  readonly origin: string;
  readonly partId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Where a machine runs, and who reaches it. */
export interface MachinePlace {
  /** address that it listens on; default: 127.0.0.1 */
  readonly address?: string;
  /** default: a free one */
  readonly port?: number;
  /** a command that runs another one elsewhere: `['ip', 'netns', 'exec', NAME]` */
  readonly within?: readonly string[];
}

export interface RunningMachine {
  readonly origin: string;
  /** the configuration file that it watches */
  readonly configPath: string;
  /** the machine's home folder, in which `.viam/capture` has what its data manager captured */
  readonly home: string;
  /** what it has logged */
  readonly log: () => string;
  close(): Promise<void>;
}

/**
 * Starts a machine on this computer. `isReady` is called repeatedly until it does not reject.
 *
 * @param cloud where it uploads captures. It would ask there for its configuration, too, and uses the copy of the last answer
 *   where it gets none, which is made here.
 * @throws with the machine's log if it exits or is not ready after a minute
 */
export async function startMachine(
  resources: MachineResources,
  isReady: (origin: string) => Promise<unknown>,
  cloud?: MachineCloud,
  { address = '127.0.0.1', port = 0, within = [] }: MachinePlace = {},
): Promise<RunningMachine> {
  const server = await unpackProgram(archive);
  const home = await mkdtemp(join(tmpdir(), 'sightglass-machine-'));
  const [module, configuration] = [join(home, 'module'), join(home, 'machine.json')];
  const host = `${address}:${port || (await freePort())}`;
  const network = { bind_address: host };
  const modules = [{ name: 'onnx', executable_path: module, type: 'local' }];
  await writeFile(module, `#!/bin/sh\nexec python3 "${folder}onnx_module.py" "$@"\n`, { mode: 0o755 });
  const whole = { network, modules, ...resources };
  if (cloud) await writeCloud(cloud, whole, configuration, home);
  else await writeFile(configuration, JSON.stringify(whole));

  const [command = server, ...args] = [...within, server, '-config', configuration];
  const child = spawn(command, args, { env: { ...process.env, HOME: home } });
  const exit = once(child, 'exit');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()));
  const origin = `http://${host}`;
  const close = async () => {
    child.kill('SIGTERM'); // it then also ends its module
    await exit;
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await untilReady(
      () => isReady(origin),
      () => child.exitCode === null && child.signalCode === null,
    );
  } catch (cause) {
    await close();
    throw new Error(`The machine did not start: ${String(cause)}\n${log.slice(-4000)}`, { cause });
  }
  return { origin, configPath: configuration, home, log: () => log, close };
}

// By both files of docs/clients.md: what a user is told there is what the tests do.
async function writeCloud(
  { origin, partId, keyId, key }: MachineCloud,
  whole: object,
  configuration: string,
  home: string,
): Promise<void> {
  const page = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const [file, copy] = codeBlocks(page)
    .filter(({ language }) => language === 'json')
    .map(({ text }) => text.replaceAll('http://127.0.0.1:8080', origin).replaceAll('PART_ID', partId))
    .map((text) => text.replaceAll('KEY_ID', keyId).replaceAll('"KEY"', JSON.stringify(key)));
  await writeFile(configuration, file!);
  await mkdir(join(home, '.viam'));
  const { cloud } = JSON.parse(copy!) as { readonly cloud: object };
  const path = join(home, '.viam', `cached_cloud_config_${partId}.json`);
  await writeFile(path, JSON.stringify({ ...whole, cloud }));
}

async function untilReady(isReady: () => Promise<unknown>, isRunning: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await isReady();
      return;
    } catch (error) {
      if (!isRunning() || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100)); // between two polls
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
