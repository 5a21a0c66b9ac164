import { expect, it } from 'vitest';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { installationSecret, replaceSecrets } from './installation-secret.ts';
import { webCryptoSecrets } from './web-crypto-secrets.ts';

function installation() {
  const time = { now: 0 };
  const clock = { now: () => time.now };
  const store = memoryDataStore(clock);
  const asked: string[] = [];
  const fails = { once: false };
  const access: typeof store.access = {
    ...store.access,
    async installationSecret(name, proposed) {
      asked.push(`${name} ${proposed.length}`);
      if (fails.once) {
        fails.once = false;
        throw new Error('The disk is busy.');
      }
      // other bytes each time, as from a store that reads it anew
      return (await store.access.installationSecret(name, proposed)).slice();
    },
  };
  const secrets = webCryptoSecrets(crypto, 1);
  return { asked, fails, time, dependencies: { store: { ...store, access }, secrets, clock } };
}

it('asks the store once for each secret, of 32 bytes', async () => {
  const { asked, dependencies } = installation();
  const ask = (name: 'access-tokens' | 'signed-urls') => installationSecret(dependencies, name);
  const [one, again, other] = [await ask('access-tokens'), await ask('access-tokens'), await ask('signed-urls')];
  expect(again).toBe(one);
  expect(other).not.toEqual(one);
  expect(asked).toEqual(['access-tokens 32', 'signed-urls 32']);
  expect(await installationSecret(installation().dependencies, 'access-tokens')).not.toEqual(one);
});

it('asks again after ten seconds, or when the clock was set back, and gives the same array for the same secret', async () => {
  const { asked, time, dependencies } = installation();
  const one = await installationSecret(dependencies, 'access-tokens');
  for (const now of [9_999_999, 10_000_000, 10_000_001, 0]) {
    time.now = now;
    expect(await installationSecret(dependencies, 'access-tokens')).toBe(one);
  }
  expect(asked).toHaveLength(3);
});

it.each(['access-tokens', 'signed-urls'] as const)(
  'gives other %s within ten seconds of their replacement',
  async (name) => {
    const { time, dependencies } = installation();
    const one = await installationSecret(dependencies, name);
    await replaceSecrets(dependencies);
    expect(await installationSecret(dependencies, name)).toBe(one);
    time.now = 10_000_000;
    const other = await installationSecret(dependencies, name);
    expect(other).toHaveLength(32);
    expect(other).not.toEqual(one);
  },
);

it('asks again after a failure', async () => {
  const { asked, fails, dependencies } = installation();
  fails.once = true;
  await expect(installationSecret(dependencies, 'access-tokens')).rejects.toThrow('The disk is busy.');
  expect(await installationSecret(dependencies, 'access-tokens')).toHaveLength(32);
  expect(asked).toHaveLength(2);
});
