import { expect, it } from 'vitest';
import { watchedFetch } from './watched-fetch.ts';

const answering = (status: number, headers: Record<string, string> = {}) =>
  watchedFetch(() => Promise.resolve(new Response(null, { status, headers })));
const failing = (error: Error) => watchedFetch(() => Promise.reject(error));

it.each([
  ['what went well', 200, {}],
  ['a refusal in the words of gRPC', 503, { 'grpc-status': '14' }],
])('gives %s on', async (_, status, headers) => {
  expect(await answering(status, headers)('https://data.example')).toMatchObject({ status });
});

it.each([
  [413, {}, null],
  [429, { 'retry-after': '7' }, '7'],
])('tells of an answer %i that is none of the API, and when to come back', async (status, headers, retryAfter) => {
  const refusal = { name: 'HttpRefusal', status, retryAfter };
  await expect(answering(status, headers)('https://data.example')).rejects.toMatchObject(refusal);
});

it('tells of a host that gives no answer, and why', async () => {
  const cause = new TypeError('Failed to fetch');
  await expect(failing(cause)('https://data.example')).rejects.toMatchObject({ name: 'NoAnswer', cause });
});

it('takes what was broken off for no fault of the host', async () => {
  const cause = new DOMException('Broken off.', 'AbortError');
  const signal = AbortSignal.abort(cause);
  await expect(failing(cause)('https://data.example', { signal })).rejects.toBe(cause);
});
