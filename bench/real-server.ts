import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { AuthService } from '../src/gen/proto/rpc/v1/auth_pb.ts';

export interface RealServer {
  readonly organizationId: string;
  readonly partId: string;
  readonly pid: number;
  /** address, with the key that the server printed for its owner */
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  /** a gRPC-Web transport with the owner's token */
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Starts `sightglass serve` in a separate process with a new folder. */
export async function startRealServer(root: string, folder: string): Promise<RealServer> {
  const child = startScript(
    `${root}bin/sightglass.js`,
    'serve',
    '--data',
    folder,
    '--port',
    '0',
    '--log-level',
    'warn',
  );
  const text = await said(child, /^ *key +\S+$/m);
  const told = (name: string): string => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(text)![1]!;
  const baseUrl = /http:\/\/\S+/.exec(text)![0];
  const auth = createClient(AuthService, createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }));
  const credentials = { type: 'api-key', payload: told('key') };
  const { accessToken } = await auth.authenticate({ entity: told('key id'), credentials });
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${accessToken}`);
    return next(request);
  };
  return {
    organizationId: told('organization'),
    partId: told('part'),
    pid: child.pid!,
    url: baseUrl,
    keyId: told('key id'),
    key: told('key'),
    transport: createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [authorize] }),
    close: () => stop(child),
  };
}

export interface BareServer {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Starts a bare Connect server in a separate process. It reads uploads and answers, without storing anything. */
export async function startBareServer(root: string): Promise<BareServer> {
  const child = startScript(`${root}bench/bare-server.ts`);
  const baseUrl = (await said(child, /http:\/\/\S+\n/)).trim();
  return { transport: createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }), close: () => stop(child) };
}

const startScript = (path: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

/** The output of a process, up to the awaited text. */
function said(child: ChildProcess, awaited: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (awaited.test(text)) resolve(text);
    });
    child.once('exit', (code) => reject(new Error(`A server ended with code ${code}: ${text}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
