/** Why a passkey was not made or used, in words for a person. */
class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

/** Why this page cannot use passkeys; null: it can. */
export function passkeyTrouble(): string | null {
  if (!isSecureContext) return 'Browsers allow passkeys on https only: ask for the https address of this server.';
  const isKnown = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
  return isKnown ? null : 'This browser is too old for passkeys: update it, or use another one.';
}

/** Makes a passkey by the options that the server has given; answers its response, as JSON. @throws PasskeyError */
export async function createPasskey(optionsJson: string): Promise<string> {
  const parse = (): CredentialCreationOptions => ({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
      JSON.parse(optionsJson) as PublicKeyCredentialCreationOptionsJSON,
    ),
  });
  return perform(async () => navigator.credentials.create(parse()), {
    InvalidStateError: 'There is a passkey for you on this device already: log in with it.',
    NotAllowedError: 'No passkey was made: it was cancelled, or took too long.',
  });
}

/** Answers the server’s question by a passkey, as JSON. @throws PasskeyError */
export async function usePasskey(optionsJson: string): Promise<string> {
  const parse = (): CredentialRequestOptions => ({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
      JSON.parse(optionsJson) as PublicKeyCredentialRequestOptionsJSON,
    ),
  });
  return perform(async () => navigator.credentials.get(parse()), {
    NotAllowedError: 'No passkey was used: it was cancelled, took too long, or this device has none for this server.',
  });
}

async function perform(
  ask: () => Promise<Credential | null>,
  words: Readonly<Record<string, string>>,
): Promise<string> {
  const trouble = passkeyTrouble();
  if (trouble) throw new PasskeyError(trouble);
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    const { name, message } = cause as DOMException;
    throw new PasskeyError(words[name] ?? `The browser refused the passkey: ${message}`, { cause });
  }
  if (!credential) throw new PasskeyError('The browser gave no passkey.');
  return JSON.stringify((credential as PublicKeyCredential).toJSON());
}
