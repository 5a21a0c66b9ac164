import { beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { StoreError } from '../ports/store-error.ts';
import { issueAccessToken, takeAccessToken } from './access-token.ts';

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
    for (const token of sent) expect(await takeAccessToken(dependencies, token)).toMatchObject({ key });
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

it('forgets no token for others that are none', async () => {
  const { dependencies, keys } = await startDataService();
  const token = await issueAccessToken(dependencies, (await dependencies.store.access.getKey(keys.owner.id))!);
  expect(await takeAccessToken(dependencies, token)).toMatchObject({ key: { id: keys.owner.id } });
  for (let n = 0; n <= 1000; n++) expect(await takeAccessToken(dependencies, `${token}${n}`)).toBe('invalid');
  const checking = vi.spyOn(crypto.subtle, 'verify');
  expect(await takeAccessToken(dependencies, token)).toMatchObject({ key: { id: keys.owner.id } });
  expect(checking).not.toHaveBeenCalled();
  checking.mockRestore();
});

it('asks the store of a renewal only where a token would have expired', async () => {
  const { dependencies, keys, time } = await startDataService();
  const token = await issueAccessToken(dependencies, (await dependencies.store.access.getKey(keys.owner.id))!);
  const asked = vi.spyOn(dependencies.store.access, 'tokenRenewal');
  await takeAccessToken(dependencies, token);
  expect(asked).not.toHaveBeenCalled();
  time.now += dependencies.limits.tokenLifeMs * 1000;
  expect(await takeAccessToken(dependencies, token)).toBe('expired');
  expect(asked).toHaveBeenCalledOnce();
});

describe('the life of a token', () => {
  const minute = 60e6;
  let service: TestService;
  let token: string;
  beforeEach(async () => {
    service = await startDataService();
    const { id, secret } = service.keys.operator;
    const credentials = { type: 'api-key', payload: secret };
    token = (await service.anonymous.auth.authenticate({ entity: id, credentials })).accessToken;
  });

  /** What a call with the token is answered so many minutes after it was fetched. */
  const at = async (minutes: number): Promise<string> => {
    service.time.now = start() + minutes * minute;
    return codeOf(service.as(`Bearer ${token}`).data.tagsByFilter({}));
  };
  const start = (): number => (JSON.parse(atob(token.split('.')[1]!)) as { iat: number }).iat * 1e6;

  it('is an hour from when it was issued, where nobody uses it', async () => {
    service.time.now = start() + 60 * minute - 1;
    expect(await codeOf(service.as(`Bearer ${token}`).data.tagsByFilter({}))).toBe('ok');
    const unused = await issueAccessToken(
      service.dependencies,
      (await service.dependencies.store.access.getKey(service.keys.owner.id))!,
    );
    service.time.now += 60 * minute;
    await expect(service.as(`Bearer ${unused}`).data.tagsByFilter({})).rejects.toThrow(
      '[unauthenticated] The access token was not used for 60 minutes and has expired; connect again with the key.',
    );
  });

  it('is an hour from its last use, for days, on every host and after each start', async () => {
    for (let hour = 1; hour <= 48; hour++) expect(await at(hour * 50)).toBe('ok');
    // another process knows the token by the store alone
    vi.resetModules();
    const { takeAccessToken: takeElsewhere } = await import('./access-token.ts');
    service.time.now += 55 * minute;
    expect(await takeElsewhere(service.dependencies, token)).toMatchObject({ key: { role: 'operator' } });
    // which renewed it for this one, too
    service.time.now += 55 * minute;
    expect(await takeAccessToken(service.dependencies, token)).toMatchObject({ key: { role: 'operator' } });
    service.time.now += 60 * minute;
    expect(await takeAccessToken(service.dependencies, token)).toBe('expired');
    expect(await takeElsewhere(service.dependencies, token)).toBe('expired');
  });

  it('goes on from the end of a call that takes longer', async () => {
    const { data } = service.as(`Bearer ${token}`);
    await uploadPicture(service.owner);
    const { binary } = service.dependencies.store;
    const page = vi.spyOn(binary, 'page').mockImplementation(async () => {
      service.time.now += 70 * minute;
      return [];
    });
    await data.binaryDataByFilter({});
    page.mockRestore();
    expect(await at(70 + 59)).toBe('ok');
  });

  it('is written at most each twelfth of it', async () => {
    const renewals = vi.spyOn(service.dependencies.store.access, 'renewToken');
    const writes = async (minutes: number): Promise<number> => {
      renewals.mockClear();
      expect(await at(minutes)).toBe('ok');
      return renewals.mock.calls.length;
    };
    expect(await writes(0)).toBe(0);
    expect(await writes(4.99)).toBe(0);
    expect(await writes(5)).toBe(1);
    expect(renewals).toHaveBeenCalledWith(expect.any(String), start() + 65 * minute, start() + 5 * minute);
    expect(await writes(5)).toBe(0);
    expect(await writes(9.99)).toBe(0);
    expect(await writes(10)).toBe(1);
    expect(await writes(3)).toBe(0); // a clock that was set back
  });

  it('does not end a call that nothing can be kept of, and is tried again by the next', async () => {
    const full = new StoreError('resource-exhausted', 'The disk is full.');
    const renewals = vi.spyOn(service.dependencies.store.access, 'renewToken').mockRejectedValue(full);
    expect(await at(30)).toBe('ok');
    expect(await at(31)).toBe('ok');
    renewals.mockRestore();
    expect(await at(32)).toBe('ok');
    expect(await at(90)).toBe('ok');
  });

  it('ends at once with its key, however lately it was used', async () => {
    expect(await at(59)).toBe('ok');
    await service.dependencies.store.access.deleteKey(service.keys.operator.id);
    expect(await at(60)).toBe('Unauthenticated');
  });

  it.each([
    [2000, '2 s'],
    [119_999, '119.999 s'],
    [120_000, '2 minutes'],
    [150_000, '3 minutes'],
    [90 * 60_000, '90 minutes'],
    [30_000 * 60_000, '30000 minutes'],
  ])('of %i ms is what the host says, and told in words: %s', async (tokenLifeMs, words) => {
    const { limits } = service.dependencies;
    const other = await startDataService({ limits: { ...limits, tokenLifeMs } });
    const { id, secret } = other.keys.owner;
    const credentials = { type: 'api-key', payload: secret };
    const { accessToken } = await other.anonymous.auth.authenticate({ entity: id, credentials });
    const call = () => other.as(`Bearer ${accessToken}`).data.tagsByFilter({});
    other.time.now += tokenLifeMs * 1000 * 0.9;
    await call();
    other.time.now += tokenLifeMs * 1000;
    await expect(call()).rejects.toThrow(`was not used for ${words} and has expired`);
  });
});
