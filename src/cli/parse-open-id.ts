import { filled, type OptionValues } from './parse-options.ts';
import type { OpenIdArguments } from './serve-arguments.ts';
import { UsageError } from './usage.ts';

/** The options of the provider by which people log in. */
export const openIdOptions = ['oidc-issuer', 'oidc-client-id', 'oidc-client-secret-file', 'oidc-name'] as const;
type OpenIdOption = (typeof openIdOptions)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** SIGHTGLASS_OIDC_ISSUER for --oidc-issuer. */
const variableOf = (option: OpenIdOption): string => `SIGHTGLASS_${option.toUpperCase().replaceAll('-', '_')}`;

/**
 * The OpenID Connect provider that options of `serve`, or variables of the environment, name; null: none.
 * @param publicOrigin where the provider sends people back to
 * @throws UsageError
 */
export function parseOpenId(
  values: OptionValues,
  environment: Environment,
  publicOrigin: string | null,
): OpenIdArguments | null {
  const given = (option: OpenIdOption): string | null =>
    filled(option, values) ?? (environment[variableOf(option)] || null);
  const [issuer, clientId] = [given('oidc-issuer'), given('oidc-client-id')];
  if (issuer === null) {
    const without = openIdOptions.find((option) => given(option) !== null);
    if (without === undefined) return null;
    throw new UsageError(`--${without} goes with --oidc-issuer, the address of the provider.`);
  }
  if (clientId === null)
    throw new UsageError(
      '--oidc-issuer goes with --oidc-client-id, the ID under which this server is registered at the provider.',
    );
  if (publicOrigin === null) {
    throw new UsageError(
      '--oidc-issuer goes with --public-origin: the provider sends people back to /login/callback there. The host that a request names does not count, because its sender chooses it.',
    );
  }
  const url = issuerUrl(issuer);
  const name = given('oidc-name') ?? new URL(url).hostname;
  return { issuer: url, clientId, clientSecretFile: given('oidc-client-secret-file'), name };
}

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
