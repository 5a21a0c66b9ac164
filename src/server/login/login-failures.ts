import type { LoginFailure } from './login-page.ts';
import type { ProviderFailure } from './open-id-provider.ts';

/** Why a log-in failed. */
export type LoginRefusal =
  | ProviderFailure
  | 'no-provider'
  | 'no-attempt'
  | 'expired'
  | 'used'
  | 'too-many'
  | 'unknown-person'
  | 'not-verified'
  | 'no-navigation';

/** The page of each failure. @param provider its name, for people to read */
export function loginFailure(refusal: LoginRefusal, provider: string): LoginFailure {
  switch (refusal) {
    case 'no-provider':
      return failure(
        404,
        'No log-in by a provider',
        'No provider is set up on this server. Log in with a passkey or a key.',
        false,
      );
    case 'no-navigation':
      return failure(
        403,
        'Not logged in',
        'Another page tried to begin or end a log-in by itself. Open the log-in as a page of its own.',
        true,
      );
    case 'too-many':
      return failure(
        429,
        'Too many attempts',
        'There were too many attempts to log in from here. Wait a minute and try again.',
        true,
      );
    case 'unreachable':
      return failure(
        502,
        `${provider} does not answer`,
        `Nobody can log in by ${provider} now. Try again later. Whoever runs this server finds the cause in its log.`,
        true,
      );
    case 'client-refused':
      return failure(
        502,
        `${provider} does not know this server`,
        `${provider} refused the client ID or the secret of this server. Whoever runs the server can correct them; its log says more.`,
        true,
      );
    case 'declined':
      return failure(
        403,
        'Not logged in',
        `You declined at ${provider}, or it does not let you in here. Nothing was changed.`,
        true,
      );
    case 'no-attempt':
    case 'not-fitting':
      return failure(
        400,
        'Not logged in',
        `This answer of ${provider} does not belong to a log-in that this browser has begun. Log in again, in one tab.`,
        true,
      );
    case 'expired':
      return failure(
        400,
        'The log-in took too long',
        'More than ten minutes passed since it was begun. Log in again.',
        true,
      );
    case 'used':
      return failure(
        400,
        'Not logged in',
        'This log-in was ended before, for example by going back in the browser. Log in again.',
        true,
      );
    case 'not-verified':
      return failure(
        403,
        'The e-mail address is not verified',
        `${provider} does not say that your e-mail address is verified, so no invitation can be found by it. Verify it at ${provider}, or ask the owner who invited you for the link of the invitation.`,
        true,
      );
    case 'unknown-person':
      return failure(
        403,
        'You are not invited yet',
        `${provider} knows you; this server does not. Ask an owner for an invitation to the e-mail address that ${provider} has of you.`,
        true,
      );
  }
}

const failure = (status: number, title: string, text: string, mayRetry: boolean): LoginFailure => ({
  status,
  title,
  text,
  mayRetry,
});
