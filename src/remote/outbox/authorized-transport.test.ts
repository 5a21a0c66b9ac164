import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { tokenFor } from './access-tokens.ts';
import { authorizedTransport } from './authorized-transport.ts';
import { HttpRefusal, NoAnswer } from './read-failure.ts';

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

describe('of a failure', () => {
  const silent = authorizedTransport(
    createRouterTransport(() => undefined),
    {
      authorize: () => Promise.reject(failure),
      name: 'Workshop',
      redact: (text) => text.replaceAll('secret', '[key]'),
      onRefused: () => undefined,
    },
  );
  let failure: Error;

  it.each([
    ['no answer', new NoAnswer('secret.example is out of reach.'), Code.Unavailable, 'Workshop did not answer: [key].example is out of reach.'],
    ['no such service', new HttpRefusal(404, null), Code.Unimplemented, 'Workshop refused: The host answered HTTP 404. There is no data service at this address.'],
    ['too much', new HttpRefusal(413, null), Code.ResourceExhausted, 'Workshop refused: The host answered HTTP 413.'],
    ['an answer without a meaning here', new HttpRefusal(418, null), Code.Unknown, 'Workshop refused: The host answered HTTP 418.'],
    ['the words of the server', new ConnectError('no secret here', Code.Internal), Code.Internal, 'no [key] here'],
    ['what was broken off', new ConnectError('broken off', Code.Canceled), Code.Canceled, 'broken off'],
  ])('tells %s', async (_, error, code, rawMessage) => {
    failure = error;
    const told = silent.authorization(new AbortController().signal);
    await expect(told).rejects.toMatchObject({ name: 'ConnectError', code, rawMessage });
  }); // prettier-ignore
});
