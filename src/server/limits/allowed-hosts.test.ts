import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { allowedHosts, isAllowedHost } from './allowed-hosts.ts';

const allowed = allowedHosts('vision.lab', 'https://Data.Example.com', ['Robots']);

it.each([
  ['localhost:8080', true],
  ['LOCALHOST', true],
  ['app.localhost', true],
  ['127.0.0.1:8080', true],
  ['192.168.1.7', true],
  ['[::1]:8080', true],
  ['vision.lab:8080', true],
  ['data.example.com', true],
  ['data.example.com.:443', true],
  ['robots:8080', true],
  [`${hostname()}:8080`, true],
  ['evil.example', false],
  ['data.example.com.evil.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.evil.example', false],
])('a request for %s is let in: %s', (authority, expected) => {
  expect(isAllowedHost(allowed, authority)).toBe(expected);
});

it('takes any name where its keeper says so', () => {
  expect(isAllowedHost(allowedHosts('127.0.0.1', null, ['*']), 'evil.example')).toBe(true);
});
