import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { startDataService } from '../../../../../tests/data-service-fixture.ts';
import { tokenFor } from '../../../../remote/outbox/access-tokens.ts';
import { authorizedTransport } from '../../../../remote/outbox/authorized-transport.ts';
import { serverTarget } from '../../../../remote/outbox/outbox-target.ts';
import { TargetDatasets } from './target-datasets.svelte.ts';

const yard = serverTarget({ id: 's1', name: 'Yard', url: 'http://yard.test', keyId: 'k', partId: 'p' });

/** A server with datasets of these names. Its key can be missing, it can be unreachable, and its tokens can lack the organization. */
async function open(
  names: readonly string[],
  givenOrganizationId: string | null = null,
  role: 'owner' | 'reviewer' = 'owner',
) {
  const { owner, keys, transport } = await startDataService();
  for (const name of names) await owner.datasets.createDataset({ name, organizationId: 'a' });
  const server = { hasKey: true, reachable: true, tells: true };
  const connectServer = async (_: unknown, onRefused: () => void) => {
    if (!server.reachable) throw new ConnectError('Yard did not answer.', Code.Unavailable);
    const authorize = tokenFor(() => transport, keys[role].id, keys[role].secret);
    const redact = (message: string) => message;
    const connection = authorizedTransport(transport, { authorize, name: 'Yard', redact, onRefused });
    if (!server.hasKey) return null;
    return server.tells ? connection : { ...connection, authorization: async () => 'Bearer opaque' };
  };
  const datasets = new TargetDatasets({ connectServer }, { organizationOf: () => givenOrganizationId }, yard);
  return { server, datasets, read: () => datasets.read(new AbortController().signal) };
}
const named = (list: readonly { readonly name: string }[] | null) => list?.map(({ name }) => name);

it('lists what is there by name, finds by words or id, and makes new ones', async () => {
  const { datasets, read } = await open(['saucers', 'Blue cups', 'cups']);
  expect([datasets.list, datasets.matching('cup')]).toEqual([null, []]);
  await read();
  expect(named(datasets.list)).toEqual(['Blue cups', 'cups', 'saucers']);
  expect(named(datasets.matching(' CUP '))).toEqual(['Blue cups', 'cups']);
  expect(named(datasets.matching('Cups'))).toEqual(['cups', 'Blue cups']);
  expect(named(datasets.matching(datasets.list![2]!.id))).toEqual(['saucers']);
  expect([datasets.hasName(' cups'), datasets.hasName('cup')]).toEqual([true, false]);

  const made = await datasets.create(' plates ');
  await read();
  expect(datasets.matching('plates')).toEqual([made]);
  await expect(datasets.create('plates')).rejects.toThrow(ConnectError);
});

it('says why there is no list, and lists once that is mended', async () => {
  const { server, datasets, read } = await open(['cups']);
  server.hasKey = false;
  await read();
  expect([datasets.list, datasets.trouble]).toEqual([null, { wants: 'key', message: 'The key of Yard was not kept.' }]);
  Object.assign(server, { hasKey: true, reachable: false });
  await read();
  expect(datasets.trouble).toEqual({ wants: 'patience', message: 'Yard did not answer.' });
  server.reachable = true;
  await read();
  expect([named(datasets.list), datasets.trouble]).toEqual([['cups'], null]);
});

it('asks for an organization that neither the server tells nor a person gave', async () => {
  const { server, datasets, read } = await open(['cups']);
  server.tells = false;
  await read();
  expect([datasets.list, datasets.trouble?.wants]).toEqual([null, 'organization']);
  const given = await open(['cups'], 'a');
  given.server.tells = false;
  await given.read();
  expect([named(given.datasets.list), given.datasets.trouble]).toEqual([['cups'], null]);
});

it('says nothing of a server whose answer comes after the reading was left', async () => {
  const { server, datasets } = await open(['cups']);
  for (const fault of [{ hasKey: false }, { hasKey: true, reachable: false }, { reachable: true }]) {
    Object.assign(server, fault);
    const left = new AbortController();
    const reading = datasets.read(left.signal);
    left.abort();
    await reading;
    expect([datasets.list, datasets.trouble], JSON.stringify(fault)).toEqual([null, null]);
  }
});

it('says why the key may not make new ones', async () => {
  const { datasets, read } = await open(['cups'], null, 'reviewer');
  await read();
  expect(named(datasets.list)).toEqual(['cups']);
  expect(datasets.refusal).toBe(
    'Only an operator may do this, or somebody with more rights; your key is that of a reviewer.',
  );
  const owned = await open(['cups']);
  await owned.read();
  expect(owned.datasets.refusal).toBe('');
});
