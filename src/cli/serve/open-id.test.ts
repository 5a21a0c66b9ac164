import { expect, it } from 'vitest';
import { serveRecord } from './serve-record.ts';

const issuer = 'https://login.example.com/realms/work';
const origin = 'https://data.example.com';
const base = ['--oidc-issuer', issuer, '--oidc-client-id', 'sightglass'];
const parse = (args: readonly string[], environment = {}, more: readonly string[] = ['--public-origin', origin]) =>
  serveRecord.read([...args, ...more], environment).openId;

it('reads the provider from options and from the environment, the option first', () => {
  const read = { issuer, clientId: 'sightglass', clientSecretFile: null, name: 'login.example.com' };
  expect(parse([])).toBeNull();
  expect(parse(base)).toEqual(read);
  const environment = {
    SIGHTGLASS_OIDC_ISSUER: 'https://other.example.com',
    SIGHTGLASS_OIDC_CLIENT_ID: 'other',
    SIGHTGLASS_OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc',
    SIGHTGLASS_OIDC_NAME: 'Acme',
  };
  expect(parse(base, environment)).toEqual({ ...read, clientSecretFile: '/run/secrets/oidc', name: 'Acme' });
  expect(parse([], environment)?.issuer).toBe('https://other.example.com');
  expect(parse(['--oidc-issuer', 'http://127.0.0.1:9000', '--oidc-client-id', 'x'])?.name).toBe('127.0.0.1');
});

it.each([
  [['--oidc-client-id', 'x'], '--oidc-client-id goes with --oidc-issuer'],
  [['--oidc-name', 'Acme'], '--oidc-name goes with --oidc-issuer'],
  [['--oidc-issuer', issuer], '--oidc-issuer goes with --oidc-client-id'],
  [['--oidc-issuer', 'http://login.example.com', '--oidc-client-id', 'x'], '--oidc-issuer wants'],
  [['--oidc-issuer', 'http://localhost.example.com', '--oidc-client-id', 'x'], '--oidc-issuer wants'],
  [['--oidc-issuer', 'https://me:secret@login.example.com', '--oidc-client-id', 'x'], '--oidc-issuer wants'],
  [['--oidc-issuer', `${issuer}?a=1`, '--oidc-client-id', 'x'], '--oidc-issuer wants'],
  [['--oidc-issuer', 'login.example.com', '--oidc-client-id', 'x'], '--oidc-issuer wants'],
  [['--oidc-issuer', ''], '--oidc-issuer was given without a value'],
])('refuses %j', (args, words) => {
  expect(() => parse(args)).toThrow(words);
});

it('wants to know where the provider sends people back to, since a request may say any host', () => {
  expect(() => parse(base, {}, [])).toThrow('--oidc-issuer goes with --public-origin');
  expect(parse(base)?.clientId).toBe('sightglass');
  expect(parse([], {}, [])).toBeNull();
});
