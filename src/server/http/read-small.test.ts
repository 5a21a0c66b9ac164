import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Request } from './exchange.ts';
import { readSmall } from './read-small.ts';

const requestOf = (stream: PassThrough): Request => stream as unknown as Request;

it('gives a message once it is whole', async () => {
  const stream = new PassThrough();
  const message = readSmall(requestOf(stream), 10);
  stream.write('abcd');
  stream.end('efghij');
  expect(Buffer.from(await message).toString()).toBe('abcdefghij');
});

it('reads no more than shows that a message is too long', async () => {
  const stream = new PassThrough();
  const message = readSmall(requestOf(stream), 5);
  stream.write('abcd');
  stream.write('ef');
  expect(Buffer.from(await message).toString()).toBe('abcdef');
  stream.write('gh');
  expect(stream.isPaused()).toBe(true);
  expect(stream.listenerCount('data')).toBe(0);
});

it('gives what came where the client left', async () => {
  const stream = new PassThrough();
  const message = readSmall(requestOf(stream), 5);
  stream.write('ab', () => stream.destroy());
  expect((await message).length).toBeLessThanOrEqual(2);
});
