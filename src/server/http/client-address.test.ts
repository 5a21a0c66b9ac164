import { describe, expect, it } from 'vitest';
import { clientAddress, countedAddress, parseTrustedProxies } from './client-address.ts';
import type { Request } from './exchange.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}): Request =>
  ({ socket: { remoteAddress }, headers }) as unknown as Request;

const oneHop = '1';
const ours = '10.0.0.0/8,fd00::/8';

describe('the address of a client', () => {
  it.each<[string, string | null, string, Record<string, string>, string]>([
    [
      'is its connection’s without proxies, whatever it says',
      null,
      '5.5.5.5',
      { 'x-forwarded-for': '1.1.1.1' },
      '5.5.5.5',
    ],
    ['is the same over IPv4 in IPv6', null, '::ffff:5.5.5.5', {}, '5.5.5.5'],
    ['is what the proxy saw', oneHop, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }, '1.1.1.1'],
    ['is not what the client wrote before', oneHop, '10.0.0.1', { 'x-forwarded-for': '9.9.9.9, 1.1.1.1' }, '1.1.1.1'],
    ['is found behind two proxies', '2', '10.0.0.1', { 'x-forwarded-for': '9.9.9.9, 1.1.1.1, 10.0.0.2' }, '1.1.1.1'],
    ['is the farthest known where there are fewer', '3', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }, '1.1.1.1'],
    [
      'is the first outside our networks',
      ours,
      '10.0.0.1',
      { 'x-forwarded-for': '9.9.9.9, 1.1.1.1, 10.2.2.2' },
      '1.1.1.1',
    ],
    [
      'is the connection’s if that is not from our networks',
      ours,
      '5.5.5.5',
      { 'x-forwarded-for': '1.1.1.1' },
      '5.5.5.5',
    ],
    [
      'is read from Forwarded',
      oneHop,
      'fd00::1',
      { forwarded: 'for=9.9.9.9, for="[2001:db8::7]:4711";proto=https' },
      '2001:db8::7',
    ],
    ['loses its port', oneHop, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1:5000' }, '1.1.1.1'],
    ['is the proxy’s where that hides it', oneHop, '10.0.0.1', { forwarded: 'for=_hidden' }, '10.0.0.1'],
    [
      'is the proxy’s where the headers differ',
      oneHop,
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1', forwarded: 'for=9.9.9.9' },
      '10.0.0.1',
    ],
    ['is the proxy’s where nothing is told', ours, '10.0.0.1', {}, '10.0.0.1'],
  ])('%s', (_, trusted, peer, headers, expected) => {
    const proxies = trusted === null ? null : parseTrustedProxies(trusted);
    expect(clientAddress(request(peer, headers), proxies)).toBe(expected);
  });
});

it.each(['0', '-1', '100', 'proxy', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', ''])('takes no %j for proxies', (text) => {
  expect(parseTrustedProxies(text)).toBeNull();
});

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:a00:1', '10.0.0.1'],
  ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['gone', 'gone'],
])('counts %s as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
});
