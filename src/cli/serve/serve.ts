import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { createSecureContext } from 'node:tls';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../../data-service/face/hosts.ts';
import { allowedHosts } from '../../server/limits/allowed-hosts.ts';
import { webAuthn } from '../../platform/node/web-authn.ts';
import { startDataHost } from '../../server/start-data-host.ts';
import { setUpFirstStart, type FirstStart } from '../../server/storage/first-start.ts';
import { createLog } from '../../server/http/log.ts';
import type { OpenIdSettings } from '../../server/login/open-id-provider.ts';
import type { TlsFiles } from '../../server/requests/one-port.ts';
import { defaultServerLimits } from '../../server/limits/server-limits.ts';
import { startServer } from '../../server/start-server.ts';
import { FileWatch } from '../../server/storage/file-watch.ts';
import { CliError } from '../record/cli-error.ts';
import { clientLines } from './client-lines.ts';
import { warnOfReaders } from '../data/warn-of-readers.ts';
import type { OpenIdArguments } from './open-id.ts';
import type { ServeArguments } from './serve-record.ts';

// The same from src/cli/serve and from build/cli/bundle.
const appFolder = fileURLToPath(new URL('../../../dist/', import.meta.url));

/**
 * Runs `sightglass serve`: serves until the process is asked to stop, then finishes the requests under way.
 * @param command parsed arguments
 * @param terminal `print` receives the address, `warn` what is wrong with the computer
 * @returns exit code: 0
 * @throws CliError
 * @example
 * await serve({ certPath: 'missing.pem', keyPath: 'missing.key' }, { print() {}, warn() {} }); // throws: missing.pem
 */
export async function serve(
  command: ServeArguments,
  { print, warn }: { readonly print: (text: string) => void; readonly warn: (text: string) => void },
): Promise<number> {
  const { dataDir, shared, host, port, mongoPort, metricsPort, certPath, keyPath, publicOrigin, ...rest } = command;
  const {
    trustedProxies,
    allowedHosts: addedHosts,
    openId,
    logLevel,
    storage: rules,
    checkBytesPerSecond,
    ...limits
  } = rest;
  const tls = certPath === null || keyPath === null ? null : await readTlsFiles(certPath, keyPath);
  const provider = openId === null ? null : await readProvider(openId);
  const log = createLog(logLevel);
  if (shared === null) await warnOfReaders(dataDir, warn);
  // each loads the libraries of its own kind of store
  const served =
    shared === null
      ? await (await import('./serve-folder.ts')).serveFolder(dataDir, rules)
      : await (await import('./serve-shared.ts')).serveShared(shared, rules.retention, log);
  const { store, clockWatch, storage } = served;
  const { maxMessageBytes, maxUploadBytes, tokenLifeMs, sessionIdleMs, sessionLifeMs, queryWorkers, ...serverLimits } =
    limits;
  const lives = { tokenLifeMs, sessionIdleMs, sessionLifeMs };
  const serviceLimits = { ...defaultLimits, maxMessageBytes, maxUploadBytes, ...lives };
  const data = startDataHost(store, served.startWorker, log, {
    limits: serviceLimits,
    publicOrigin,
    passkeys: webAuthn,
    queryWorkers,
    keep: served.keep,
    clockWatch,
    takeUpIndexes: () => served.takeUpIndexes((progress) => log.info(progress, 'an index is built')),
  });
  const bytesPerSecond = checkBytesPerSecond ?? served.checkBytesPerSecond;
  const fileWatch = new FileWatch({ store, health: data.health, log }, served.checkState, {
    bytesPerSecond,
    isBusy: () => served.waitingCalls() + data.waitingQueries() > 0,
    timer: { nowMs: () => Date.now(), wait: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }) },
  });
  let isStarting = true;
  let endHangUps = (): void => undefined;
  try {
    const server = await startServer(data.dependencies, log, {
      host,
      port,
      mongoPort,
      metricsPort,
      tls,
      trustedProxies,
      appFolder,
      allowedHosts: allowedHosts(host, publicOrigin, addedHosts),
      openId: provider,
      limits: { ...defaultServerLimits, ...serverLimits },
      storage,
      health: data.health,
      clockWatch,
      ...(served.storeTrouble && { storeTrouble: served.storeTrouble }),
      isStarting: () => isStarting,
      queues: {
        queries: () => data.waitingQueries(),
        database_writes: () => served.waitingCalls(),
        index_rows: () => served.waitingIndexRows(),
      },
    });
    // Only now: a port that is taken must not cost the key, which is told once.
    const firstStart = await setUpFirstStart(data.dependencies);
    const address = addressOf(tls !== null, host, server.port);
    await served.tellAddress(address);
    const said = [`Sightglass serves ${served.name} at ${address}`];
    if (server.mongoPort !== null) said.push(`MongoDB clients read it at ${hostOf(host)}:${server.mongoPort}`);
    if (server.metricsPort !== null)
      said.push(`Metrics are at ${addressOf(tls !== null, host, server.metricsPort)}metrics`);
    if (firstStart)
      said.push(
        firstStartText(firstStart, publicOrigin ?? clientOrigin(tls !== null, host, server.port)),
        // browsers take no passkey for an IP address
        inviteText(publicOrigin ?? clientOrigin(tls !== null, 'localhost', server.port), shared ? null : dataDir),
      );
    const stopped = stopSignal();
    endHangUps = onHangUp(async () => {
      if (certPath === null || keyPath === null) return log.info('SIGHUP: there is no certificate to be read again');
      try {
        server.renewCertificate(await readTlsFiles(certPath, keyPath));
        log.info('SIGHUP: the certificate was read again');
      } catch (error) {
        log.error({ err: error }, 'SIGHUP: the certificate could not be read again; the previous one stays');
      }
    });
    // in one write, so that whoever reads the address has read the key
    print(said.join('\n'));
    isStarting = false;
    if (bytesPerSecond !== 0) fileWatch.start();
    await stopped;
    log.info('stopping: calls under way may end');
    await server.close();
    return 0;
  } finally {
    endHangUps();
    data.close();
    await fileWatch.stop();
    await served.close();
  }
}

/** @throws CliError for files that are no certificate and its key */
async function readTlsFiles(certPath: string, keyPath: string): Promise<TlsFiles> {
  const tls = { cert: await readFile(certPath), key: await readFile(keyPath) };
  try {
    createSecureContext(tls);
  } catch (cause) {
    const message = `"${certPath}" and "${keyPath}" are not a certificate and its key in PEM`;
    throw new CliError(
      'bad-certificate',
      `${message} (${(cause as Error).message}); give such by --tls-cert and --tls-key.`,
      { cause },
    );
  }
  return tls;
}

/** @throws CliError for a file without a secret */
async function readProvider({ issuer, clientId, clientSecretFile, name }: OpenIdArguments): Promise<OpenIdSettings> {
  const clientSecret = clientSecretFile === null ? null : (await readFile(clientSecretFile, 'utf8')).trim();
  if (clientSecret === '') {
    throw new CliError(
      'no-client-secret',
      `"${clientSecretFile}" is empty; --oidc-client-secret-file wants a file that has the secret.`,
    );
  }
  return { issuer: new URL(issuer), clientId, clientSecret, name };
}

const addressOf = (isSecure: boolean, host: string, port: number): string =>
  `${isSecure ? 'https' : 'http'}://${hostOf(host)}:${port}/`;

const hostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Where clients reach it: an address of all interfaces is none to connect to. */
const clientOrigin = (isSecure: boolean, host: string, port: number): string =>
  new URL(addressOf(isSecure, host === '0.0.0.0' || host === '::' ? hostname() : host, port)).origin;

const firstStartText = ({ organizationId, locationId, partId, keyId, key }: FirstStart, origin: string): string => `
This is its first start. The key is shown now and never again:

  organization  ${organizationId}
  location      ${locationId}
  part          ${partId}
  key id        ${keyId}
  key           ${key}

Clients connect so, with the key in place of KEY (docs/clients.md has whole programs):

${Object.entries(clientLines(origin, keyId))
  .map(([client, line]) => `  ${client.padEnd(12)}${line}`)
  .join('\n')}
`;

/** @param dataDir null: the data is in a database */
const inviteText = (
  origin: string,
  dataDir: string | null,
): string => `People join by an invitation, and then log in. To invite yourself:

  sightglass people invite "YOUR NAME" --role owner --origin ${origin}${dataDir === null ? '' : ` --data "${dataDir}"`}
`;

/** The first asks to stop; whoever asks twice does not want to wait. */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop); // the next one, of either kind, ends the process
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });

/**
 * Calls `renew` at each SIGHUP. One that comes because the terminal is gone stops the process instead, as SIGTERM does:
 * nobody is there any more who could.
 */
function onHangUp(renew: () => Promise<void>): () => void {
  const terminals = [0, 1, 2].filter(isatty);
  const listener = (): void => {
    if (terminals.length > 0 && !terminals.some(isatty)) process.kill(process.pid, 'SIGTERM');
    else void renew();
  };
  process.on('SIGHUP', listener);
  return () => process.off('SIGHUP', listener);
}
