import { expect, it } from 'vitest';
import { personOf } from './open-id-provider.ts';

it.each([
  [{ email_verified: true }, true],
  [{ email_verified: 'true' }, true],
  [{ xms_edov: '1' }, true],
  [{ xms_edov: 1 }, true],
  [{ email_verified: [true] }, false],
  [{ email_verified: ['true'] }, false],
  [{ email_verified: { toString: (): string => 'true' } }, false],
  [{ email_verified: 'false' }, false],
  [{}, false],
])('%j: the address is verified: %j', (claims, isEmailVerified) => {
  expect(personOf('https://login.example', 's', { email: 'Ada@x.org', ...claims })).toMatchObject({
    email: 'ada@x.org',
    isEmailVerified,
  });
});
