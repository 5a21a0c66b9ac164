import { expect, it } from 'vitest';
import { startDataService } from '../../../tests/data-service-fixture.ts';
import { issueAccessToken } from './access-token.ts';
import { replaceSecrets } from './installation-secret.ts';
import { issueOneTimeToken, takeOneTimeToken } from './one-time-token.ts';

it('a one-time token gives what it carries once, also to those who ask at the same time', async () => {
  const { dependencies } = await startDataService();
  const token = await issueOneTimeToken(dependencies, 'log-in', { state: 's' }, 60_000);
  const taken = await Promise.all([1, 2, 3].map(() => takeOneTimeToken(dependencies, 'log-in', token)));
  expect(taken.filter((each) => typeof each === 'object')).toEqual([{ state: 's' }]);
  expect(taken.filter((each) => each === 'used')).toHaveLength(2);
});

it('is for one use, for its time, and as it was made', async () => {
  const { dependencies, time, keys } = await startDataService();
  const issue = () => issueOneTimeToken(dependencies, 'log-in', { state: 's' }, 60_000);
  const token = await issue();
  expect(await takeOneTimeToken(dependencies, 'passkey-log-in', token)).toBe('invalid');
  expect(await takeOneTimeToken(dependencies, 'log-in', `${token.slice(0, -5)}AAAAA`)).toBe('invalid');
  expect(await takeOneTimeToken(dependencies, 'log-in', '')).toBe('invalid');
  const key = (await dependencies.store.access.getKey(keys.owner.id))!;
  expect(await takeOneTimeToken(dependencies, 'log-in', await issueAccessToken(dependencies, key))).toBe('invalid');
  time.now += 60_000_000;
  expect(await takeOneTimeToken(dependencies, 'log-in', token)).toBe('expired');
  const later = await issue();
  await replaceSecrets(dependencies);
  time.now += 11_000_000;
  expect(await takeOneTimeToken(dependencies, 'log-in', later)).toBe('invalid');
});
