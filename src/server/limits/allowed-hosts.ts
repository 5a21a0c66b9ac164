import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** The names, in lower case, that requests may ask for; null: any. */
export type AllowedHosts = ReadonlySet<string> | null;

/**
 * The names by which this server is known: of this machine, of the address that it listens on, of its public origin, and
 * those that its keeper adds; `*` among them is any.
 */
export function allowedHosts(host: string, publicOrigin: string | null, added: readonly string[]): AllowedHosts {
  if (added.includes('*')) return null;
  const machine = hostname().toLowerCase();
  const names = ['localhost', host, machine, machine.split('.')[0]!, `${machine.split('.')[0]!}.local`, ...added];
  if (publicOrigin !== null) names.push(new URL(publicOrigin).hostname);
  return new Set(names.map((name) => name.toLowerCase()));
}

/**
 * Whether a request's `Host` names this server. A page of another site can make its own name lead here (DNS rebinding) and
 * would then read what it may not; it cannot make an address do so.
 *
 * @param authority the header, as `name:port`; undefined: without one
 */
export function isAllowedHost(allowed: AllowedHosts, authority: string | undefined): boolean {
  if (allowed === null || authority === undefined || !URL.canParse(`http://${authority}`)) return true; // no name to judge
  const name = new URL(`http://${authority}`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(name) !== 0 || allowed.has(name) || name.endsWith('.localhost');
}
