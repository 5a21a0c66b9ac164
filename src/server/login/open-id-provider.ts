import * as openId from 'openid-client';

/** An OpenID Connect provider, and the registration of this server there. */
export interface OpenIdSettings {
  readonly issuer: URL;
  readonly clientId: string;
  /** null: the client is a public one, which proves by PKCE alone that it has begun the log-in */
  readonly clientSecret: string | null;
  /** the provider's name, for people to read */
  readonly name: string;
}

/** Who has logged in, as the provider says it. */
export interface ProvidedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** in lower case; '': none */
  readonly email: string;
  /** whether the provider has verified that the address is this person's */
  readonly isEmailVerified: boolean;
}

/** What a browser keeps of a log-in that it has begun; only a browser that has all of it can end the log-in. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/**
 * Why a log-in by the provider failed: it does not answer; it does not take this server for its client; the person declined; its answer
 * does not belong to the attempt, or was used before.
 */
export type ProviderFailure = 'unreachable' | 'client-refused' | 'declined' | 'not-fitting';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, options: { readonly cause: unknown }) {
    super(`The OpenID provider: ${failure}.`, options);
    this.failure = failure;
  }

  /** For the log: the messages of the library, the network and the provider, none of which contains a code, a token or a secret. */
  get reason(): string {
    const words: unknown[] = [];
    for (let { cause } = this as Error; cause instanceof Error; cause = cause.cause) {
      words.push(cause.message);
      if (cause instanceof openId.ResponseBodyError) words.push(cause.error);
      if (cause instanceof openId.WWWAuthenticateChallengeError) {
        words.push(...cause.cause.map(({ parameters }) => parameters.error));
      }
    }
    return words.filter((each) => each !== undefined).join(': ');
  }
}

const timeoutSeconds = 10;
const scope = 'openid email profile';

/** One provider of OpenID Connect. It is asked for its addresses and keys when the first person logs in, so it need not run before. */
export class OpenIdProvider {
  readonly name: string;
  readonly #settings: OpenIdSettings;
  #known: Promise<openId.Configuration> | null = null;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
    this.name = settings.name;
  }

  /** Begins a log-in: where the browser goes, and what it must keep. @throws ProviderError */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly attempt: LoginAttempt }> {
    const configuration = await this.#configuration();
    const attempt: LoginAttempt = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      codeVerifier: openId.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = openId.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /** Ends a log-in. @param query of the address to which the provider has sent the browser back. @throws ProviderError */
  async end(attempt: LoginAttempt, query: string): Promise<ProvidedPerson> {
    const configuration = await this.#configuration();
    const answered = new URL(attempt.redirectUri);
    answered.search = query;
    const { state, nonce, codeVerifier } = attempt;
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    return this.#asking(async () => {
      const tokens = await openId.authorizationCodeGrant(configuration, answered, checks);
      const { iss, sub, ...told } = tokens.claims()!;
      // many providers give name and e-mail address only at this endpoint
      const asksMore = told['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = asksMore ? await openId.fetchUserInfo(configuration, tokens.access_token, sub) : {};
      return personOf(iss, sub, { ...more, ...told });
    });
  }

  #configuration(): Promise<openId.Configuration> {
    this.#known ??= this.#asking(() => discover(this.#settings));
    return this.#known;
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const failure = failureOf(cause);
      // the provider's addresses may be others by now, or were never received: the next log-in asks for them again
      if (failure === 'unreachable' || failure === 'client-refused') this.#known = null;
      throw new ProviderError(failure, { cause });
    }
  }
}

function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<openId.Configuration> {
  // By default the library trusts the connection to the provider, and does not check the signatures of ID tokens. It refuses plain
  // http by default; parse-open-id allows it on this machine alone.
  const insecure = issuer.protocol === 'http:' ? [openId.allowInsecureRequests] : [];
  const execute = [openId.enableNonRepudiationChecks, ...insecure];
  const authentication = clientSecret === null ? openId.None() : bySecret(clientSecret);
  return openId.discovery(issuer, clientId, undefined, authentication, { timeout: timeoutSeconds, execute });
}

/** Sends the secret in the header, the default of OpenID Connect, or in the body to a provider that takes none in the header. */
function bySecret(clientSecret: string): openId.ClientAuth {
  const [inHeader, inBody] = [openId.ClientSecretBasic(clientSecret), openId.ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...request);
  };
}

/** The library's codes for an answer that does not belong to the attempt: another state, issuer, nonce or key, or an expired one. */
const notFitting: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

function failureOf(error: unknown): ProviderFailure {
  if (error instanceof openId.AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'declined' : 'not-fitting';
  }
  if (error instanceof openId.ResponseBodyError && error.status < 500) {
    return error.error === 'invalid_grant' ? 'not-fitting' : 'client-refused';
  }
  if (error instanceof openId.WWWAuthenticateChallengeError) return 'client-refused';
  return notFitting.has((error as { readonly code?: unknown }).code) ? 'not-fitting' : 'unreachable';
}

/** Who a provider's claims name; an address counts as verified by true, 1 or these as texts, and by nothing that only prints like them. */
export function personOf(issuer: string, subject: string, claims: Readonly<Record<string, unknown>>): ProvidedPerson {
  const text = (claim: string): string => {
    const value = claims[claim];
    return typeof value === 'string' ? value.trim() : '';
  };
  const email = text('email').toLowerCase();
  // Entra says by a claim of its own that the domain of an address is verified: https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
  const said = [claims['email_verified'], claims['xms_edov']];
  const isEmailVerified = said.some((value) => value === true || value === 1 || value === 'true' || value === '1');
  const name = text('name') || text('preferred_username') || email || subject;
  return { issuer, subject, name, email, isEmailVerified };
}
