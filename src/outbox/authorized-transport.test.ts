import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { DataService } from '../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';
import { tokenFor } from './access-tokens.ts';
import { authorizedTransport } from './authorized-transport.ts';
import { NoAnswer } from './read-failure.ts';

/** A server whose tokens are `t1`, `t2` …, of which only the newest is good; a wrong key gets none. */
function server(key: string) {
  let issued = 0;
  const requireToken = (header: Headers): void => {
    if (header.get('authorization') === `Bearer t${issued}`) return;
    throw new ConnectError('authentication required', Code.Unauthenticated);
  };
  const transport = createRouterTransport(({ service }) => {
    service(AuthService, {
      authenticate({ credentials }) {
        if (credentials?.payload !== 'right') throw new ConnectError('invalid credentials', Code.Unauthenticated);
        return { accessToken: `t${++issued}` };
      },
    });
    service(DataService, {
      tagsByFilter(_, { requestHeader }) {
        requireToken(requestHeader);
        return { tags: [`under t${issued}`] };
      },
      async *exportTabularData({ resourceName }, { requestHeader }) {
        requireToken(requestHeader);
        yield { resourceName };
        yield { resourceName: `under t${issued}` };
        throw new ConnectError(`broken by ${key}`, Code.Internal);
      },
    });
  });
  let refusals = 0;
  const connection = authorizedTransport(transport, {
    authorize: tokenFor(() => transport, 'k', key),
    name: 'Workshop',
    redact: (text) => text.replaceAll(key, '[key]'),
    onRefused: () => refusals++,
  });
  return {
    data: createClient(DataService, connection.transport),
    connection,
    revoke: () => issued++,
    refusals: () => refusals,
  };
}

it('gives every call the one token, and fetches another where it is refused', async () => {
  const { data, revoke, refusals } = server('right');
  expect((await data.tagsByFilter({})).tags).toEqual(['under t1']);
  expect((await data.tagsByFilter({})).tags).toEqual(['under t1']);
  revoke();
  expect((await data.tagsByFilter({})).tags).toEqual(['under t3']);
  expect(refusals()).toBe(0);
});

it('does so for streams, whose refusal comes late; and tells no key', async () => {
  const { data, revoke } = server('right');
  await data.tagsByFilter({});
  revoke();
  const names: string[] = [];
  let failure: unknown;
  try {
    for await (const { resourceName } of data.exportTabularData({ resourceName: 'scale' })) names.push(resourceName);
  } catch (error) {
    failure = error;
  }
  expect(names).toEqual(['scale', 'under t3']);
  expect((failure as ConnectError).rawMessage).toBe('broken by [key]');
});

it('says that a key is refused', async () => {
  const { data, refusals } = server('wrong');
  await expect(data.tagsByFilter({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(refusals()).toBe(1);
});

it('names a server that does not answer', async () => {
  const silent = authorizedTransport(
    createRouterTransport(() => undefined),
    {
      authorize: async () => {
        throw new NoAnswer('the host is out of reach.');
      },
      name: 'Workshop',
      redact: (text) => text,
      onRefused: () => undefined,
    },
  );
  await expect(silent.authorization(new AbortController().signal)).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: 'Workshop did not answer: the host is out of reach.',
  });
});
