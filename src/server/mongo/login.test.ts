import { describe, expect, it } from 'vitest';
import { scramUser } from '../../data-service/access/scram-user.ts';
import { webCryptoSecrets } from '../../data-service/access/web-crypto-secrets.ts';
import type { DatabaseUser } from '../../data-service/ports/access-store.ts';
import { AttemptLimit } from '../limits/attempt-limit.ts';
import { Login } from './login.ts';
import { scramAnswer } from './test-client.ts';

const secrets = webCryptoSecrets(crypto);
const kept = await scramUser(secrets, 'a', 'correct horse');

function loginTo(options: { readonly attempts?: number } = {}) {
  const users = new Map<string, DatabaseUser>([['a', kept]]);
  const failures: (string | undefined)[] = [];
  const dependencies = {
    access: { getDatabaseUser: async (id: string) => users.get(id) ?? null },
    decoySecret: new Uint8Array(32),
    attempts: new AttemptLimit(options.attempts ?? 100, 1, () => 0),
    onFailure: (user: DatabaseUser | null, address: string) =>
      failures.push(user === null ? undefined : `${user.organizationId} from ${address}`),
  };
  return { users, failures, next: () => new Login(dependencies, 'address') };
}

const begin = (login: Login, user: string, changes: Partial<Parameters<Login['start']>[0]> = {}) =>
  login.start({
    mechanism: 'SCRAM-SHA-256',
    payload: `n,,n=${user},r=nonce`,
    database: 'admin',
    skipEmptyExchange: true,
    ...changes,
  });

async function logIn(login: Login, user = 'db-user-a', password = 'correct horse', database = 'admin') {
  const { payload } = await begin(login, user, { database });
  return login.continue(scramAnswer(payload, user, password));
}

describe('a login', () => {
  it.each(['admin', 'sensorData'])('is by the password of the organization, in %s', async (database) => {
    const login = loginTo().next();
    expect(login.organizationId).toBeNull();
    expect(await logIn(login, 'db-user-a', 'correct horse', database)).toMatchObject({ done: true });
    expect(login.organizationId).toBe('a');
    login.logout();
    expect(login.organizationId).toBeNull();
  });

  it('takes one exchange more from clients that do not skip the empty one', async () => {
    const login = loginTo().next();
    const { payload } = await begin(login, 'db-user-a', { skipEmptyExchange: false });
    expect(login.continue(scramAnswer(payload, 'db-user-a', 'correct horse'))).toMatchObject({ done: false });
    expect(login.organizationId).toBeNull();
    expect(login.continue('')).toMatchObject({ done: true });
    expect(login.organizationId).toBe('a');
  });

  it('is as long valid as the password', async () => {
    const { next, users } = loginTo();
    const login = next();
    await logIn(login);
    expect(await login.isCurrent()).toBe(true);
    users.set('a', await scramUser(secrets, 'a', 'correct horse'));
    expect(await login.isCurrent()).toBe(false);
    users.delete('a');
    expect(await login.isCurrent()).toBe(false);
  });

  it('fails in the same words whatever is wrong', async () => {
    const { next, failures } = loginTo();
    const words = 'Authentication failed.';
    await expect(logIn(next(), 'db-user-a', 'wrong')).rejects.toThrow(words);
    await expect(logIn(next(), 'db-user-b')).rejects.toThrow(words);
    await expect(logIn(next(), 'a')).rejects.toThrow(words);
    await expect(logIn(next(), 'db-user-a', 'correct horse', 'other')).rejects.toThrow(words);
    expect(failures).toEqual(['a from address', undefined, undefined, undefined]);
  });

  it('answers for a user who is none as for one who is: a salt that stays, the same number of rounds', async () => {
    const { next } = loginTo();
    const saltOf = async (user: string): Promise<readonly string[]> => {
      const { payload } = await begin(next(), user);
      return /s=([^,]+),i=(\d+)$/.exec(Buffer.from(payload).toString())!.slice(1);
    };
    const [nobody, real] = [await saltOf('db-user-nobody'), await saltOf('db-user-a')];
    expect(await saltOf('db-user-nobody')).toEqual(nobody);
    expect(await saltOf('db-user-other')).not.toEqual(nobody);
    expect(nobody.map((text) => text.length)).toEqual(real.map((text) => text.length));
    expect(nobody[1]).toBe(real[1]);
  });

  it('is refused after too many failures, also with the right password', async () => {
    const { next } = loginTo({ attempts: 2 });
    const begun = next();
    const { payload } = await begin(begun, 'db-user-a');
    for (const guess of ['1', '2']) await expect(logIn(next(), 'db-user-a', guess)).rejects.toThrow('failed.');
    await expect(logIn(next())).rejects.toThrow('Too many');
    expect(() => begun.continue(scramAnswer(payload, 'db-user-a', 'correct horse'))).toThrow('Too many');
  });

  it('cannot be gone on with after it failed, nor without a beginning', async () => {
    const login = loginTo().next();
    expect(() => login.continue('')).toThrow('saslStart');
    const { payload } = await begin(login, 'db-user-a');
    expect(() => login.continue('')).toThrow('failed');
    expect(() => login.continue(scramAnswer(payload, 'db-user-a', 'correct horse'))).toThrow('saslStart');
  });

  it('knows one mechanism', async () => {
    const plain = begin(loginTo().next(), 'db-user-a', { mechanism: 'PLAIN', payload: '\0db-user-a\0correct horse' });
    await expect(plain).rejects.toMatchObject({ codeName: 'MechanismUnavailable' });
  });
});
