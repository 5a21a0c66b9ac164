import { expect, it, vi } from 'vitest';
import { startDataService } from '../../../tests/data-service-fixture.ts';
import { issueAccessToken, keyOfAccessToken } from './access-token.ts';

it('checks the signature of a token once, and again of those that a thousand others came after', async () => {
  const { dependencies, keys, time } = await startDataService();
  const key = (await dependencies.store.access.getKey(keys.owner.id))!;
  const tokens: string[] = [];
  for (let i = 0; i <= 1000; i++) {
    tokens.push(await issueAccessToken(dependencies, key));
    time.now += 1e6; // so that no two are the same
  }
  const checking = vi.spyOn(crypto.subtle, 'verify');
  const checksOf = async (...sent: string[]): Promise<number> => {
    checking.mockClear();
    for (const token of sent) expect(await keyOfAccessToken(dependencies, token)).toEqual(key);
    return checking.mock.calls.length;
  };
  const [first, second, third] = tokens as [string, string, string];
  expect(await checksOf(...tokens.slice(0, 1000))).toBe(1000);
  expect(await checksOf(...tokens.slice(0, 1000))).toBe(0);
  expect(await checksOf(first)).toBe(0);
  expect(await checksOf(tokens[1000]!)).toBe(1);
  // the second is now the one that was sent longest ago
  expect(await checksOf(first, third, second)).toBe(1);
  checking.mockRestore();
});
