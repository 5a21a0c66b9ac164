import { option, together } from '../record/field.ts';
import { UsageError } from '../record/usage-error.ts';

/** The OpenID Connect provider by which people log in, and the registration of this server there. */
export interface OpenIdArguments {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client, which has no secret */
  readonly clientSecretFile: string | null;
  /** name of the provider, for people to read */
  readonly name: string;
}

const options = {
  issuer: option(
    '--oidc-issuer URL',
    'people log in by this provider of OpenID Connect; otherwise by passkeys. Register the path /login/callback of --public-origin there. Each of these can be a variable: SIGHTGLASS_OIDC_ISSUER',
  ),
  clientId: option('--oidc-client-id ID', 'as the provider knows this service'),
  clientSecretFile: option('--oidc-client-secret-file FILE', 'file with the secret of that client'),
  name: option('--oidc-name NAME', 'what the provider is called on the page'),
};

/** SIGHTGLASS_OIDC_ISSUER for --oidc-issuer. */
const variableOf = (name: string): string => `SIGHTGLASS_${name.toUpperCase().replaceAll('-', '_')}`;

/**
 * The OpenID Connect provider that options of `serve`, or variables of the environment, name; null: none. It sends people back to
 * the public origin.
 */
export const openId = together(options, (values, { environment, has }): OpenIdArguments | null => {
  const given = (key: keyof typeof options): string | null =>
    values[key] ?? (environment[variableOf(nameOf(key))] || null);
  const [issuer, clientId] = [given('issuer'), given('clientId')];
  if (issuer === null) {
    const without = keys.find((key) => given(key) !== null);
    if (without === undefined) return null;
    throw new UsageError(`--${nameOf(without)} goes with --oidc-issuer, the address of the provider.`);
  }
  if (clientId === null)
    throw new UsageError(
      '--oidc-issuer goes with --oidc-client-id, the ID under which this server is registered at the provider.',
    );
  if (!has('public-origin'))
    throw new UsageError(
      '--oidc-issuer goes with --public-origin: the provider sends people back to /login/callback there. The host that a request names does not count, because its sender chooses it.',
    );
  const url = issuerUrl(issuer);
  return {
    issuer: url,
    clientId,
    clientSecretFile: given('clientSecretFile'),
    name: given('name') ?? new URL(url).hostname,
  };
});

const keys = ['issuer', 'clientId', 'clientSecretFile', 'name'] as const;
const nameOf = (key: keyof typeof options): string => options[key].options[0]!.name;

/** @throws UsageError */
function issuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (isFit && url!.username === '' && url!.search === '' && url!.hash === '') return text;
  throw new UsageError(
    `--oidc-issuer wants the issuer of the provider as https://login.example.com/realms/work (http only on this machine), got "${text}".`,
  );
}
