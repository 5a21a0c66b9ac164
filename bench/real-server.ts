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
  /** token of the owner */
  readonly token: string;
  /** a gRPC-Web transport with the owner's token */
  readonly transport: Transport;
  close(): Promise<void>;
  /** Ends it at once, as a machine that is lost. */
  kill(): Promise<void>;
}

/** A database and a bucket that hosts share, as `serve` takes them. */
export interface SharedPlace {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts `sightglass serve` in a separate process.
 * @param place an empty folder, or what hosts share
 * @param first the host that was told the key, where this one is another of its store
 */
export async function startRealServer(
  root: string,
  place: string | SharedPlace,
  first: RealServer | null = null,
): Promise<RealServer> {
  const { args, environment } = typeof place === 'string' ? { args: ['--data', place], environment: {} } : place;
  const rest = ['--port', '0', '--log-level', 'warn'];
  const child = startScript([`${root}bin/sightglass.js`, 'serve', ...args, ...rest], environment);
  const text = await said(child, first ? /^Sightglass serves .*$/m : /^ *key +\S+$/m);
  const told = (name: string): string => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(text)![1]!;
  const baseUrl = /http:\/\/\S+/.exec(text.slice(text.indexOf(' at ')))![0];
  if (first) return { ...first, pid: child.pid!, url: baseUrl, ...callsTo(baseUrl, first.token), ...endOf(child) };
  const accessToken = await tokenOf(baseUrl, told('key id'), told('key'));
  return {
    organizationId: told('organization'),
    partId: told('part'),
    pid: child.pid!,
    url: baseUrl,
    keyId: told('key id'),
    key: told('key'),
    token: accessToken,
    ...callsTo(baseUrl, accessToken),
    ...endOf(child),
  };
}

async function tokenOf(baseUrl: string, keyId: string, key: string): Promise<string> {
  const auth = createClient(AuthService, createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }));
  return (await auth.authenticate({ entity: keyId, credentials: { type: 'api-key', payload: key } })).accessToken;
}

/** A gRPC-Web transport with a token of another key of a server. */
export async function transportOf(baseUrl: string, keyId: string, key: string): Promise<Transport> {
  return callsTo(baseUrl, await tokenOf(baseUrl, keyId, key)).transport;
}

function callsTo(baseUrl: string, token: string): Pick<RealServer, 'transport'> {
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  return { transport: createGrpcWebTransport({ baseUrl, httpVersion: '1.1', interceptors: [authorize] }) };
}

function endOf(child: ChildProcess): Pick<RealServer, 'close' | 'kill'> {
  return { close: () => stop(child, 'SIGTERM'), kill: () => stop(child, 'SIGKILL') };
}

export interface BareServer {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Starts a bare Connect server in a separate process. It reads uploads and answers, without storing anything. */
export async function startBareServer(root: string): Promise<BareServer> {
  const child = startScript([`${root}bench/bare-server.ts`]);
  const baseUrl = (await said(child, /http:\/\/\S+\n/)).trim();
  return { transport: createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }), close: () => stop(child, 'SIGTERM') };
}

const startScript = (argv: readonly string[], environment: SharedPlace['environment'] = {}): ChildProcess =>
  spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment } });

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

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
