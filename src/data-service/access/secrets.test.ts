import { expect, it } from 'vitest';
import { scramUser } from './scram-user.ts';
import { timingSafeEqual } from './timing-safe-equal.ts';
import { webCryptoSecrets } from './web-crypto-secrets.ts';

const secrets = webCryptoSecrets(crypto, 2);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

it('derives PBKDF2 with HMAC-SHA-256 (RFC 7914, section 11)', async () => {
  const derived = await secrets.derive('passwd', new TextEncoder().encode('salt'), 1);
  expect(hex(derived)).toBe('55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc');
});

it('signs by HMAC-SHA-256 (RFC 4231, test case 2)', async () => {
  const key = new TextEncoder().encode('Jefe');
  const signature = await secrets.sign(key, 'what do ya want for nothing?');
  expect(hex(signature)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  expect(await secrets.verifySignature(key, 'what do ya want for nothing?', signature)).toBe(true);
  expect(await secrets.verifySignature(key, 'what do ya want for nothing!', signature)).toBe(false);
});

it('hashes a secret slowly, with a salt of its own', async () => {
  const [one, two] = [await secrets.hash('secret'), await secrets.hash('secret')];
  expect(hex(one.hash)).not.toBe(hex(two.hash));
  expect(await secrets.verify('secret', one)).toBe(true);
  expect(await secrets.verify('Secret', one)).toBe(false);
  expect(one).toMatchObject({ algorithm: 'pbkdf2-sha256', iterations: 2 });
  expect([one.salt.length, one.hash.length]).toEqual([16, 32]);
  expect((await webCryptoSecrets(crypto).hash('secret')).iterations).toBe(600_000);
});

it('keeps of a database password what SCRAM-SHA-256 needs (RFC 7677, section 3)', async () => {
  const salt = Uint8Array.from(Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));
  // The example of the RFC has 4,096 iterations; what follows from the salted password is the same for any number.
  const rounds: number[] = [];
  const asInRfc = {
    ...secrets,
    randomBytes: () => salt,
    derive: (password: string, of: Uint8Array, iterations: number) => {
      rounds.push(iterations);
      return secrets.derive(password, of, 4096);
    },
  };
  const user = await scramUser(asInRfc, 'a', 'pencil');
  expect(base64(user.storedKey)).toBe('WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=');
  expect(base64(user.serverKey)).toBe('wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=');
  expect([user.iterations, rounds]).toEqual([15_000, [15_000]]);
  expect((await scramUser(secrets, 'a', 'pencil')).salt).toHaveLength(28);
});

// RFC 4013, sections 2.1 to 3: drivers send the second for the first.
it.each([
  ['I\u00adX', 'IX'],
  ['user', 'user'],
  ['USER', 'USER'],
  ['\u00aa', 'a'],
  ['\u2168', 'IX'],
  ['correct\u00a0horse', 'correct horse'],
])('derives from the password %j what drivers derive from %j', async (typed, sent) => {
  const derived: string[] = [];
  const noting = {
    ...secrets,
    derive: (password: string) => {
      derived.push(password);
      return Promise.resolve(new Uint8Array(32));
    },
  };
  await scramUser(noting, 'a', typed);
  expect(derived).toEqual([sent]);
});

it.each([
  [[], [], true],
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1, 2], [1, 2, 0], false],
])('compares %j and %j', (a, b, equal) => {
  expect(timingSafeEqual(Uint8Array.from(a), Uint8Array.from(b))).toBe(equal);
});
