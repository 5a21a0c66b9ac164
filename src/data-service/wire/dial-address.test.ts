import { expect, it } from 'vitest';
import { dialAddress } from './dial-address.ts';

it.each([
  ['http://127.0.0.1:8080', '127.0.0.1:8080', true],
  ['http://data.example', 'data.example:80', true],
  ['http://[::1]', '[::1]:80', true],
  ['https://data.example:8443/path', 'data.example:8443', false],
  ['https://data.example', 'data.example', false],
])('%s is dialled as %s, plainly: %s', (origin, address, isPlain) => {
  expect(dialAddress(origin)).toEqual({ address, isPlain });
});
