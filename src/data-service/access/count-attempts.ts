import { createContextKey, type Interceptor } from '@connectrpc/connect';
import { principalKey } from './principal.ts';

/**
 * Counts an attempt to log in against a limit: that of the caller's address (null), or that of an account, as 'passkey:ID'. It returns
 * a function that uncounts the attempt, to be called where it succeeds.
 * `what` is attempted, for the words of a refusal: to log in, unless it is given.
 * @throws ConnectError ResourceExhausted after too many attempts
 */
export type CountAttempt = (account: string | null, what?: string) => () => void;

/** How the host counts; null: attempts are not limited, as in a browser, which nobody else reaches. */
export const countAttemptValue = createContextKey<CountAttempt | null>(null, {
  description: 'how attempts are counted',
});

/** Operations whose answer says whether a token or credential was right, so that it could be guessed. */
const guessable: ReadonlySet<string> = new Set([
  'GetInvitation',
  'BeginPasskeyLogIn',
  'FinishPasskeyLogIn',
  'BeginPasskeyRegistration',
  'FinishPasskeyRegistration',
]);

/** Limits failed attempts to log in, by address, and invitations, by whoever makes them. */
export const countAttempts: Interceptor = (next) => async (request) => {
  const count = request.contextValues.get(countAttemptValue);
  if (count === null) return next(request);
  if (request.method.name === 'InviteMember') {
    const actor = request.contextValues.get(principalKey)?.actor;
    count(`inviter:${actor?.kind}:${actor?.id}`, 'invite people');
  }
  if (!guessable.has(request.method.name)) return next(request);
  const takeBack = count(null);
  const answer = await next(request);
  takeBack();
  return answer;
};
