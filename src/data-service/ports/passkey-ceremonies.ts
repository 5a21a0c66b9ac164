import type { Passkey } from './people-store.ts';

/** Where a passkey is good, and by which random bytes its authenticator proves that it answers now. */
export interface PasskeyCeremony {
  /** a domain, as `data.example.com` */
  readonly rpId: string;
  /** origin of the page that asks, such as `https://data.example.com:8443` */
  readonly origin: string;
  /** base64url */
  readonly challenge: string;
}

/** What an authenticator tells of a passkey that it has made. */
export type MadePasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>;

/** What WebAuthn (https://www.w3.org/TR/webauthn-3/) asks of a server. Options and responses are its JSON, as browsers take and give it. */
export interface PasskeyCeremonies {
  /** @param known passkeys of the same person: their authenticators make no second one */
  registrationOptions(
    ceremony: PasskeyCeremony,
    person: { readonly id: string; readonly name: string },
    known: readonly Passkey[],
  ): Promise<string>;
  /** Null: it is no answer to this ceremony, or nobody proved to the authenticator who they are. */
  verifyRegistration(ceremony: PasskeyCeremony, responseJson: string): Promise<MadePasskey | null>;

  logInOptions(ceremony: PasskeyCeremony): Promise<string>;
  /** The passkey that a response says it is of; null: it says none. */
  passkeyIdOf(responseJson: string): string | null;
  /** The counter of signatures; null: it is no answer to this ceremony, nor by this passkey. The caller compares the counters. */
  verifyLogIn(ceremony: PasskeyCeremony, responseJson: string, passkey: Passkey): Promise<number | null>;
}
