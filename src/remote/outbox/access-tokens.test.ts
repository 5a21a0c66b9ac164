import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { deferred } from '../../../tests/deferred.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { tokenFor } from './access-tokens.ts';
import { HttpRefusal } from './read-failure.ts';

const { signal } = new AbortController();

/** Calls whose first answers are these; what they carried, and for which keys a token was asked. */
function calls(...failures: unknown[]) {
  const carried: string[] = [];
  const asked: unknown[] = [];
  const transport = createRouterTransport(({ service }) =>
    service(AuthService, {
      authenticate: ({ entity, credentials }) => {
        asked.push([entity, credentials?.type, credentials?.payload]);
        return { accessToken: `t${asked.length}` };
      },
    }),
  );
  const authorize = tokenFor(() => transport, 'id', 'key');
  const call = () =>
    authorize(signal, (authorization) => {
      carried.push(authorization);
      const failure = failures.shift();
      if (failure instanceof Promise) return failure;
      return failure ? Promise.reject(failure) : Promise.resolve('answer');
    });
  return { call, carried, asked };
}

it('asks for one token for all calls', async () => {
  const { call, carried, asked } = calls();
  expect([await call(), await call()]).toEqual(['answer', 'answer']);
  expect(carried).toEqual(['Bearer t1', 'Bearer t1']);
  expect(asked).toEqual([['id', 'api-key', 'key']]);
});

it.each([
  ['by the API', new ConnectError('no', Code.Unauthenticated)],
  ['by HTTP 401', new HttpRefusal(401, null)],
])('asks for another token where one that it had is refused %s', async (_, refusal) => {
  const { call, carried } = calls(undefined, refusal);
  await call();
  expect(await call()).toBe('answer');
  expect(carried).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
});

it('asks for one token for calls that are made at once, and for one more where it is refused to all of them', async () => {
  const refusal = new HttpRefusal(401, null);
  const { call, carried, asked } = calls(undefined, undefined, refusal, refusal);
  await Promise.all([call(), call()]);
  expect(asked).toHaveLength(1);
  await Promise.all([call(), call()]);
  expect(asked).toHaveLength(2);
  expect(carried).toEqual(['t1', 't1', 't1', 't1', 't2', 't2'].map((token) => `Bearer ${token}`));
});

it('keeps a token that came while a call with the one before was under way', async () => {
  const late = deferred<string>();
  const { call, carried, asked } = calls(undefined, late.promise, new HttpRefusal(401, null));
  await call();
  const slow = call();
  await call();
  late.reject(new HttpRefusal(401, null));
  expect(await slow).toBe('answer');
  expect(carried).toEqual(['t1', 't1', 't1', 't2', 't2'].map((token) => `Bearer ${token}`));
  expect(asked).toHaveLength(2);
});

it('does not keep who leaves waiting for a token', async () => {
  const transport = createRouterTransport(({ service }) =>
    service(AuthService, { authenticate: () => new Promise<never>(() => {}) }),
  );
  const leaving = new AbortController();
  const left = tokenFor(() => transport, 'id', 'key')(leaving.signal, async () => 'never called');
  leaving.abort(new Error('I leave.'));
  await expect(left).rejects.toThrow('I leave.');
});

it('passes on the refusal of what a good token may not', async () => {
  const refusal = new HttpRefusal(403, null);
  const { call, asked } = calls(undefined, refusal);
  await call();
  await expect(call()).rejects.toBe(refusal);
  expect(asked).toHaveLength(1);
});

it('passes on the refusal of a token that is new', async () => {
  const refusal = new HttpRefusal(401, null);
  const { call, asked } = calls(refusal);
  await expect(call()).rejects.toBe(refusal);
  expect(asked).toHaveLength(1);
});
