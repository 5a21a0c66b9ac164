import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, expect, it } from 'vitest';
import { startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { AttemptLimit } from '../limits/attempt-limit.ts';
import { KeyVerifier } from './key-verifier.ts';

const burst = 3;
const here = new AbortController().signal;

let service: TestService;
let held: (() => void)[];
let hashes: string[];
let refused: number;
let door: KeyVerifier;
beforeEach(async () => {
  service = await startDataService();
  [held, hashes, refused] = [[], [], 0];
  const { secrets, store } = service.dependencies;
  const slow = async <T>(secret: string, answer: T): Promise<T> => {
    hashes.push(secret);
    await new Promise<void>((resolve) => held.push(resolve));
    return answer;
  };
  const { owner } = service.keys;
  const { secret: hashed } = (await store.access.getKey(owner.id))!;
  const heldSecrets = {
    ...secrets,
    hash: (secret: string) => slow(secret, hashed),
    verify: (secret: string) => slow(secret, secret === owner.secret),
  };
  const attempts = new AttemptLimit(burst, 60, () => 0);
  door = new KeyVerifier({ store, secrets: heldSecrets }, attempts, () => refused++);
});

/** What a check came to: the key's id, null, or the code or name of why it was not made. */
const outcome = (check: ReturnType<ReturnType<KeyVerifier['for']>>): Promise<unknown> =>
  check.then(
    (key) => key?.id ?? null,
    (error: Error) => (error instanceof ConnectError ? Code[error.code] : error.name),
  );

const ask = (address: string, secret: string, signal = here): Promise<unknown> =>
  outcome(door.for(address)(service.keys.owner.id, secret, signal));

/** Ends hashes as they begin, until all that was asked is answered. */
async function finishHashes(...asked: readonly Promise<unknown>[]): Promise<void> {
  let isAnswered = false;
  void Promise.all(asked).then(() => (isAnswered = true));
  while (!isAnswered) {
    await aTurn();
    held.splice(0).forEach((end) => end());
  }
}

/** Waits until so many hashes have begun, and gives one more the time to begin. */
async function begun(count: number): Promise<void> {
  while (hashes.length < count) await aTurn();
  for (let turn = 0; turn < 20; turn++) await aTurn();
}

/** WebCrypto answers from threads: a turn of the loop. */
const aTurn = (): Promise<unknown> => service.dependencies.secrets.sha256(new Uint8Array(1));

it('counts an attempt before its hash begins, so that no crowd gets past the limit together', async () => {
  const asked = Array.from({ length: 300 }, (_, number) => ask('a', `guess ${number}`));
  await finishHashes(...asked);
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === null)).toHaveLength(burst);
  expect(answers.filter((answer) => answer === 'ResourceExhausted')).toHaveLength(300 - burst);
  expect([hashes.length, refused]).toEqual([burst, 300 - burst]);
});

it('gives the attempt of a right key back, each address for itself', async () => {
  const { owner } = service.keys;
  for (let time = 0; time < burst + 1; time++) {
    const asked = outcome(door.for('a')(owner.id, owner.secret, here));
    await finishHashes(asked);
    expect(await asked).toBe(owner.id);
  }
  const wrong = Array.from({ length: burst + 1 }, (_, number) => ask('a', `guess ${number}`));
  const other = ask('b', 'guess');
  await finishHashes(...wrong, other);
  expect((await Promise.all(wrong)).sort()).toEqual(['ResourceExhausted', ...Array<null>(burst).fill(null)].sort());
  expect(await other).toBeNull();
});

it('hashes at most two secrets at once', async () => {
  const asked = ['a', 'b', 'c', 'd'].map((address) => ask(address, 'guess for each'.concat(address)));
  await begun(2);
  expect(hashes).toHaveLength(2);
  held.shift()!();
  await begun(3);
  expect(hashes).toHaveLength(3);
  await finishHashes(...asked);
  expect(await Promise.all(asked)).toEqual([null, null, null, null]);
});

it('asks once for the many requests that bring the same key', async () => {
  const { owner } = service.keys;
  const asked = Array.from({ length: 30 }, () => ask('a', owner.secret));
  await finishHashes(...asked);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([owner.id]));
  expect(hashes).toEqual([owner.secret]);
});

it('knows a right key again without a hash, until it is revoked', async () => {
  const { owner } = service.keys;
  const first = ask('a', owner.secret);
  await finishHashes(first);
  expect([await first, await ask('a', owner.secret)]).toEqual([owner.id, owner.id]);
  expect(hashes).toHaveLength(1);
  await service.dependencies.store.access.deleteKey(owner.id);
  const revoked = ask('a', owner.secret);
  await finishHashes(revoked);
  expect(await revoked).toBeNull();
});

it('never hashes for those who left before their turn, and goes on with the next', async () => {
  const leaving = new AbortController();
  const running = ['b', 'c'].map((address) => ask(address, `running ${address}`));
  await begun(2);
  const left = ask('a', 'left', leaving.signal);
  const shared = [ask('a', 'shared', leaving.signal), ask('d', 'shared')];
  while (door.waiting < 2) await aTurn();
  leaving.abort();
  expect([await left, await shared[0]]).toEqual(['AbortError', 'AbortError']);
  await finishHashes(shared[1]!, ...running);
  expect([await shared[1], ...(await Promise.all(running))]).toEqual([null, null, null]);
  expect(hashes.toSorted()).toEqual(['running b', 'running c', 'shared']);
});

it('begins anew for who comes after a check was dropped', async () => {
  const leaving = new AbortController();
  const running = ['b', 'c'].map((address) => ask(address, `running ${address}`));
  await begun(2);
  const left = ask('a', service.keys.owner.secret, leaving.signal);
  while (door.waiting < 1) await aTurn();
  leaving.abort();
  const again = ask('a', service.keys.owner.secret);
  await finishHashes(left, again, ...running);
  expect([await left, await again, ...(await Promise.all(running))]).toEqual([
    'AbortError',
    service.keys.owner.id,
    null,
    null,
  ]);
});

it('remembers a thousand right keys, and hashes those before anew', async () => {
  const { secrets, store } = service.dependencies;
  const key = (await store.access.getKey(service.keys.owner.id))!;
  const verified: string[] = [];
  const verifier = new KeyVerifier(
    {
      store: { ...store, access: { ...store.access, getKey: async (id) => ({ ...key, id }) } },
      secrets: { ...secrets, verify: async (secret) => Boolean(verified.push(secret)) },
    },
    new AttemptLimit(5000, 1, () => 0),
    () => undefined,
  );
  const show = verifier.for('a');
  for (let number = 0; number <= 1000; number++) await show(`key-${number}`, `secret-${number}`, here);
  await show('key-1000', 'secret-1000', here);
  expect(verified).toHaveLength(1001);
  await show('key-0', 'secret-0', here);
  expect(verified.slice(1001)).toEqual(['secret-0']);
});
