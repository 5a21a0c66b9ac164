import { expect, it } from 'vitest';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { installationSecret } from './installation-secret.ts';
import { webCryptoSecrets } from './web-crypto-secrets.ts';

function installation() {
  const store = memoryDataStore({ now: () => 0 });
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
      return store.access.installationSecret(name, proposed);
    },
  };
  return { asked, fails, dependencies: { store: { ...store, access }, secrets: webCryptoSecrets(crypto, 1) } };
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

it('asks again after a failure', async () => {
  const { asked, fails, dependencies } = installation();
  fails.once = true;
  await expect(installationSecret(dependencies, 'access-tokens')).rejects.toThrow('The disk is busy.');
  expect(await installationSecret(dependencies, 'access-tokens')).toHaveLength(32);
  expect(asked).toHaveLength(2);
});
