import { describe, expect, it } from 'vitest';
import { accountKeyId, linkPretendedAccount, type PretendedPart } from '../../../../tests/account-fixture.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { memoryKeys } from '../../../../tests/memory-keys.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { AccountError } from '../../../remote/account/account-error.ts';
import type { Account } from '../../../remote/account/account.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { AccountState } from '../account/account-state.svelte.ts';
import { WriteBackState } from './write-back-state.svelte.ts';

const config = {
  services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } }],
};
const partNamed = (id: string, name: string): PretendedPart => ({ id, name, config, updatedAtMs: 5000 });

function setUp(changes: Partial<Account> = {}, memory = memoryStorage(), pageUrl = 'https://bench.example/') {
  const parts = [partNamed('p2', 'arm'), partNamed('p1', 'gate-main')];
  const { kept, keys } = memoryKeys();
  const opened: string[] = [];
  const account = new AccountState(
    {
      pageUrl,
      keys: async () => keys,
      async open(url, key) {
        opened.push(url);
        return { ...linkPretendedAccount({ parts }, key), ...changes };
      },
    },
    memory,
  );
  account.keyId = accountKeyId;
  account.key = 's3cret-key';
  return { account, parts, kept, opened, memory };
}
const chosen = (account: AccountState) => account.levels.map(({ kind, chosen: id }) => [kind, id]);

describe('an account', () => {
  it('is chosen through down to the main part, by itself where there is no choice', async () => {
    const { account, opened } = setUp();
    await account.connect();
    expect([opened, account.host, account.fault]).toEqual([['https://app.viam.com'], 'app.viam.com', null]);
    expect([chosen(account), account.partId]).toEqual([
      [
        ['organization', 'org'],
        ['location', ''],
      ],
      '',
    ]);
    await account.choose('location', 'yard');
    expect(chosen(account).slice(2)).toEqual([['machine', 'gate'], ['part', 'p1']]); // prettier-ignore
    expect(account.partId).toBe('p1');
    await account.choose('part', 'p2');
    expect(account.partId).toBe('p2');
    await account.choose('location', 'attic');
    expect([chosen(account).at(-1), account.levels.at(-1)!.options, account.partId]).toEqual([['machine', ''], [], '']);
  });

  it('lists the machines of all its locations, of which one is chosen with its location', async () => {
    const machines = async (location: string) => ['a', 'b'].map((id) => ({ id: `${location}-${id}`, name: id }));
    const parts = async (machine: string) => [{ id: `${machine}-part`, name: 'main' }];
    const { account } = setUp({ machines, parts });
    await account.connect();
    await expect.poll(() => account.machines.map(({ id }) => id)).toEqual(['yard-a', 'yard-b', 'attic-a', 'attic-b']);
    await account.chooseMachine(account.machines[3]!);
    expect([chosen(account).slice(1), account.partId]).toEqual([
      [
        ['location', 'attic'],
        ['machine', 'attic-b'],
        ['part', 'attic-b-part'],
      ],
      'attic-b-part',
    ]);
    account.disconnect();
    expect(account.machines).toEqual([]);
  });

  it('shows no machines of an account that was left while they were listed', async () => {
    const given = deferred();
    const { account } = setUp({ machines: async () => (await given.promise, [{ id: 'late', name: 'late' }]) });
    await account.connect();
    account.disconnect();
    given.resolve();
    await new Promise((resolve) => setImmediate(resolve)); // all that waited for it has run
    expect(account.machines).toEqual([]);
  });

  it.each([
    ['an answer', () => Promise.resolve([{ id: 'org', name: 'Org' }])],
    ['a refusal', () => Promise.reject(new AccountError('not-allowed', 'The key may not list organizations.', 'Ask.'))],
  ])('stays left where %s comes after it was', async (_, answer) => {
    const [reached, given] = [deferred(), deferred()];
    const organizations = async () => {
      reached.resolve();
      await given.promise;
      return answer();
    };
    const { account } = setUp({ organizations });
    const connecting = account.connect();
    await reached.promise;
    account.disconnect();
    given.resolve();
    await connecting;
    expect([account.host, account.levels, account.fault, account.busy, account.key]).toEqual([
      '',
      [],
      null,
      false,
      's3cret-key',
    ]);
  });

  it('keeps neither key nor token in what the page remembers, and the key only if asked', async () => {
    const { account, kept, memory } = setUp();
    await account.connect();
    await account.choose('location', 'yard');
    await account.watch();
    expect([account.key, kept.get(`https://app.viam.com ${accountKeyId}`)]).toEqual([
      '',
      { key: 's3cret-key', keep: false },
    ]);
    expect(JSON.stringify([...Array(memory.length).keys()].map((at) => memory.getItem(memory.key(at)!)))).not.toContain(
      's3cret',
    );
    const again = setUp({}, memory).account;
    expect([again.address, again.keyId, again.partId]).toEqual(['https://app.viam.com', accountKeyId, 'p1']);
  });

  it('goes on by the part id with a key that may not list', async () => {
    const { account } = setUp({
      organizations: () => Promise.reject(new AccountError('not-allowed', 'The key may not do this.', '')),
    });
    await account.connect();
    expect([account.isConnected, account.levels, account.fault?.cure]).toEqual([
      true,
      [],
      expect.stringMatching(/id of the part/),
    ]);
    account.partId = ' p1 ';
    expect((await account.watch()).place).toBe('app.viam.com, part p1');
  });

  it.each([
    ['an address that is none', { address: 'ftp://x' }, /only https/],
    ['an address with a key in it', { address: 'https://a:b@x' }, /user name or password/],
    ['no key id', { keyId: ' ' }, /No key id is given/],
    ['no key', { key: '' }, /none was kept/],
    ['a key of someone else', { key: 'other' }, /does not take this key/],
    ['plain http from a page over https', { address: 'http://account.example' }, /came over https/],
  ])('says of %s what is wrong with it', async (_, typed, message) => {
    const { account } = setUp();
    Object.assign(account, typed);
    await account.connect();
    expect([account.isConnected, account.fault?.message, account.busy]).toEqual([
      false,
      expect.stringMatching(message),
      false,
    ]);
  });

  it('is asked for what was chosen last, whichever answer comes first', async () => {
    let answer!: () => void;
    const slow = new Promise<void>((done) => (answer = done));
    const { account } = setUp({
      machines: async (location) => {
        if (location === 'yard') await slow;
        return [{ id: location, name: location }];
      },
      parts: async (machine) => [{ id: `${machine}-part`, name: machine }],
    });
    await account.connect();
    const first = account.choose('location', 'yard');
    const second = account.choose('location', 'attic');
    answer();
    await Promise.all([first, second]);
    expect([account.partId, account.busy]).toEqual(['attic-part', false]);
  });
});

describe('writing back to a part', () => {
  async function bench(changes: Partial<Account> = {}) {
    const { account, parts } = setUp(changes);
    const configState = new ConfigState();
    const place = {
      config: configState,
      host: () => '',
      nowMs: () => 1,
      certified: () => [],
      watch: async () => null,
      doubt: async () => null,
    };
    const noFiles = { canWrite: false, pick: async () => null };
    const state = new WriteBackState(noFiles, account, place, memoryStorage());
    await account.connect();
    account.partId = 'p1';
    await state.openPart();
    const tune = (score: number): boolean =>
      configState.edit('tune', (text) => text.replace('"m"', `"m", "default_minimum_confidence": ${score}`));
    return { state, tune, part: parts[1]!, config: configState };
  }

  it('writes the entry that was tuned, and undoes it', async () => {
    const { state, tune, part } = await bench();
    expect([state.watched?.name, state.watched?.keeps, state.differs]).toEqual(['gate-main', 'values', false]);
    tune(0.4);
    await state.write();
    expect(part.config).toMatchObject({ services: [{ attributes: { default_minimum_confidence: 0.4 } }] });
    expect([state.differs, state.canUndo, state.journal[0]?.place]).toEqual([false, true, 'app.viam.com, part p1']);
    await state.undo();
    expect([part.config, part.name]).toEqual([config, 'gate-main']);
  });

  it('is not troubled by another white space', async () => {
    const { state, config: onBench } = await bench();
    onBench.edit('fold', (text) => JSON.stringify(JSON.parse(text)));
    expect(state.differs).toBe(false);
  });

  it('shows both changes where the part was changed since', async () => {
    const { state, tune, part } = await bench();
    tune(0.4);
    Object.assign(part, { config: { ...config, components: [] }, updatedAtMs: 9000 });
    await state.write();
    expect(state.conflict?.there).toMatch(/"components": \[\]/);
    expect(state.conflict?.base).not.toMatch(/"components"/);
    await state.readAgain();
    expect([state.conflict, state.differs]).toEqual([null, false]);
  });

  it('says why it was not written', async () => {
    const { state, tune } = await bench({
      update: () => Promise.reject(new AccountError('not-allowed', 'not an operator', 'Give another key.')),
    });
    tune(0.4);
    await state.write();
    expect([state.fault?.cure, state.differs, state.canUndo]).toEqual(['Give another key.', true, false]);
  });

  it('says that there is no such part', async () => {
    const { state } = await bench();
    state.leave();
    state.account.partId = 'p9';
    await state.openPart();
    expect([state.watched, state.fault?.message]).toEqual([null, expect.stringMatching(/nothing of this id/)]);
  });
});
