import { BlockList, isIP } from 'node:net';
import type { Request } from './exchange.ts';

/** Which of the addresses that a request came through are proxies of ours, and so may be believed about the next one. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: BlockList };

/**
 * Reads a count of proxies (`1`) or the networks that they are in (`10.0.0.0/8,fd00::/8`; a bare address is itself).
 * Returns null for anything else.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^[1-9]\d?$/.test(text)) return { hops: Number(text) };
  const networks = new BlockList();
  for (const part of text.split(',')) {
    const [, address = '', prefix] = /^([0-9a-f.:]+?)(?:\/(\d{1,3}))?$/i.exec(part.trim()) ?? [];
    const version = isIP(address);
    if (version === 0) return null;
    const bits = version === 4 ? 32 : 128;
    if (Number(prefix ?? bits) > bits) return null;
    networks.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  }
  return { networks };
}

/**
 * Whom a request is from. Without trusted proxies that is whom its connection is from; with them, whom the last of them
 * saw, by `X-Forwarded-For` or `Forwarded` (RFC 7239). What stands before that was written by nobody we know.
 */
export function clientAddress(request: Request, trusted: TrustedProxies | null): string {
  const peer = plain(request.socket?.remoteAddress ?? 'gone');
  if (trusted === null) return peer;
  const told = [listed(request.headers['x-forwarded-for']), forwardedFor(request.headers.forwarded)]
    .filter((addresses) => addresses.length > 0)
    .map((addresses) => lastUntrusted([...addresses, peer], trusted));
  // A proxy that writes one of the headers may pass the client's own other one on: two that differ tell nothing.
  return told.length > 0 && told.every((address) => address === told[0]) ? told[0]! : peer;
}

/** `chain` is in the order that the request went through, the peer of its connection last. */
function lastUntrusted(chain: readonly string[], trusted: TrustedProxies): string {
  const peer = chain.at(-1)!;
  let at = chain.length - 1;
  if ('hops' in trusted) at = Math.max(0, at - trusted.hops);
  else while (at > 0 && isIn(chain[at]!, trusted.networks)) at--;
  return isIP(chain[at]!) === 0 ? peer : chain[at]!;
}

function isIn(address: string, networks: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

const listed = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map(plain)
    .filter((address) => address !== '');

const forwardedFor = (header: string | string[] | undefined): string[] =>
  listed(header).map((element) => plain(/(?:^|;)\s*for=("[^"]*"|[^;]*)/i.exec(element)?.[1] ?? 'unknown'));

/** Without quotes, brackets and port; an IPv4 address as such, also where IPv6 carries it. */
function plain(text: string): string {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, v4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+)(?::\d+)?)$/.exec(bare) ?? [];
  return (inBrackets ?? v4 ?? bare).replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * By what an address is counted, where one client may take so much: IPv6 by its first 64 bits, as one client has all the
 * addresses of such a network; IPv4 as such, also where IPv6 carries it.
 */
export function countedAddress(address: string): string {
  const bare = plain(address).replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const groups = new URL(`http://[${bare}]`).hostname.slice(1, -1); // in its shortest form (RFC 5952)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(groups) ?? [];
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].map((group) => parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]);
    return bytes.join('.');
  }
  const [before = '', after] = groups.split('::');
  const listed = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [head, tail] = [listed(before), listed(after ?? '')];
  const zeros = Array<string>(after === undefined ? 0 : 8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
