import { get as getPlainly } from 'node:http';
import { get as getSecurely } from 'node:https';
import { servedAddress } from '../../platform/node/data-folder-lock.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { HealthArguments } from './data-records.ts';

const patienceMs = 4000;

/**
 * Runs `sightglass health`: asks the server of a data folder whether it is alive, at the port and by the protocol that
 * it listens with.
 * @param command parsed arguments
 * @param terminal receives the answer
 * @returns exit code: 0 where the server is alive, otherwise 1
 * @example
 * const said: string[] = [];
 * await health({ dataDir: '/missing' }, { print() {}, say: (text) => said.push(text) }); // => 1
 * said[0]; // => 'No server says that it serves "/missing". Start one, or name its folder by --data.'
 */
export async function health({ dataDir }: HealthArguments, terminal: Terminal): Promise<number> {
  const address = await servedAddress(dataDir);
  if (address === null) {
    terminal.say(`No server says that it serves "${dataDir}". Start one, or name its folder by --data.`);
    return 1;
  }
  const url = new URL('healthz', address);
  // where a server listens on all interfaces, it is asked on this one
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  const answer = await statusOf(url).catch((error: unknown) => (error as Error).message);
  terminal.print({ address, healthz: answer });
  return answer === 200 ? 0 : 1;
}

/** The status that a server answers. Any certificate will do, as this one is for the names that clients know. */
function statusOf(url: URL): Promise<number> {
  const get = url.protocol === 'https:' ? getSecurely : getPlainly;
  return new Promise((resolve, reject) => {
    const options = { timeout: patienceMs, rejectUnauthorized: false, agent: false as const };
    const asked = get(url, options, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
    asked.once('error', reject);
  });
}
