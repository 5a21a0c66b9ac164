import { callAs, type Answer } from './people-server.ts';
import type { Deviation, TestAuthenticator } from './test-authenticator.ts';
import type { TestBrowser } from './test-browser.ts';

interface Begun {
  readonly ceremony: string;
  readonly optionsJson: string;
}

export interface PasskeyVisitor {
  readonly browser: TestBrowser;
  readonly authenticator: TestAuthenticator;
  /** origin of the server */
  readonly origin: string;
}

export const begin = async (visitor: PasskeyVisitor, call: string, message: object = {}): Promise<Begun & Answer> => {
  const answer = await callAs(visitor.browser, visitor.origin, `SessionService/${call}`, message);
  return { ...answer, ...(answer.json as unknown as Begun) };
};

/** Takes an invitation by a new passkey, which logs in; without a token, whoever is logged in makes one more. */
export async function joinByPasskey(
  { browser, authenticator, origin }: PasskeyVisitor,
  invitationToken: string,
  deviation: Deviation = {},
): Promise<Answer> {
  const asked = { invitationToken, name: 'Ada' };
  const begun = await begin({ browser, authenticator, origin }, 'BeginPasskeyRegistration', asked);
  if (begun.code !== '') return begun;
  const responseJson = authenticator.create(begun.optionsJson, origin, deviation);
  return callAs(browser, origin, 'SessionService/FinishPasskeyRegistration', {
    ...asked,
    ceremony: begun.ceremony,
    responseJson,
  });
}

/** Logs in by the passkey that the authenticator made last, and takes an invitation where there is a token. */
export async function logInByPasskey(
  { browser, authenticator, origin }: PasskeyVisitor,
  deviation: Deviation = {},
  invitationToken = '',
): Promise<Answer> {
  const { ceremony, optionsJson } = await begin({ browser, authenticator, origin }, 'BeginPasskeyLogIn');
  const responseJson = authenticator.get(optionsJson, origin, deviation);
  const message = { ceremony, responseJson, invitationToken };
  return callAs(browser, origin, 'SessionService/FinishPasskeyLogIn', message);
}
