import { createContextKey, type Interceptor } from '@connectrpc/connect';
import { principalKey } from './principal.ts';

/**
 * Counts an attempt to get in: of the caller's address, or of an account, as 'passkey:ID'. The function that it gives takes the
 * attempt back, since it was right.
 * @throws ConnectError ResourceExhausted after too many
 */
export type CountAttempt = (account: string | null) => () => void;

/** The host's own count; null: nobody counts, as where nobody can ask from afar. */
export const countAttemptValue = createContextKey<CountAttempt | null>(null, {
  description: 'how attempts are counted',
});

/** The calls that a guess can be made by. */
const guessable: ReadonlySet<string> = new Set([
  'GetInvitation',
  'BeginPasskeyLogIn',
  'FinishPasskeyLogIn',
  'BeginPasskeyRegistration',
  'FinishPasskeyRegistration',
]);

/** Counts the calls that try to get in and fail, by address, and invitations by whoever makes them. */
export const countAttempts: Interceptor = (next) => async (request) => {
  const count = request.contextValues.get(countAttemptValue);
  if (count === null) return next(request);
  if (request.method.name === 'InviteMember') {
    const actor = request.contextValues.get(principalKey)?.actor;
    count(`inviter:${actor?.kind}:${actor?.id}`);
  }
  if (!guessable.has(request.method.name)) return next(request);
  const takeBack = count(null);
  const answer = await next(request);
  takeBack();
  return answer;
};
