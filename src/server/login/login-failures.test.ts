import { expect, it } from 'vitest';
import { loginFailure, type LoginRefusal } from './login-failures.ts';

const failures: readonly (readonly [LoginRefusal, number, boolean])[] = [
  ['no-provider', 404, false],
  ['no-navigation', 403, true],
  ['too-many', 429, true],
  ['unreachable', 502, true],
  ['client-refused', 502, true],
  ['declined', 403, true],
  ['no-attempt', 400, true],
  ['not-fitting', 400, true],
  ['expired', 400, true],
  ['used', 400, true],
  ['not-verified', 403, true],
  ['unknown-person', 403, true],
];

it.each(failures)('%s answers %i, and offers a second try: %s', (refusal, status, mayRetry) => {
  const failure = loginFailure(refusal, 'Acme');
  expect([failure.status, failure.mayRetry]).toEqual([status, mayRetry]);
  for (const words of [failure.title, failure.text]) expect(words).toMatch(/^[A-Z].{10,}/);
});
