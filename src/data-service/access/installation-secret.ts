import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { AccessStore } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { timingSafeEqual } from './timing-safe-equal.ts';

type SecretName = 'access-tokens' | 'signed-urls';

/** How long a host may use a secret after it was replaced on another host, µs. */
const askedAgainAfter: Micros = 10_000_000;

interface Asked {
  readonly secret: Promise<Uint8Array>;
  readonly at: Micros;
}

const known = new WeakMap<AccessStore, Map<SecretName, Asked>>();

/**
 * A secret of the installation. Every call needs one, so the store is read only now and then; while the secret is
 * the same, so is the array object.
 */
export function installationSecret(
  { store: { access }, secrets, clock }: Pick<DataServiceDependencies, 'store' | 'secrets' | 'clock'>,
  name: SecretName,
): Promise<Uint8Array> {
  const ofStore = known.get(access) ?? new Map<SecretName, Asked>();
  known.set(access, ofStore);
  const [last, now] = [ofStore.get(name), clock.now()];
  if (last !== undefined && now >= last.at && now - last.at < askedAgainAfter) return last.secret;
  const secret = ask();
  ofStore.set(name, { secret, at: now });
  secret.catch(() => ofStore.delete(name));
  return secret;

  async function ask(): Promise<Uint8Array> {
    const kept = await access.installationSecret(name, secrets.randomBytes(32));
    const before = await last?.secret;
    return before !== undefined && timingSafeEqual(before, kept) ? before : kept;
  }
}

/**
 * Replaces the installation's secrets. All access tokens and signed URLs issued before become invalid.
 * @param dependencies store and cryptography
 * @example
 * const replaced: string[] = [];
 * const store = { access: { replaceInstallationSecret: async (name: string) => void replaced.push(name) } };
 * await replaceSecrets({ store, secrets: { randomBytes: (length: number) => new Uint8Array(length) } }); // => undefined
 * replaced; // => ['access-tokens', 'signed-urls']
 */
export async function replaceSecrets({
  store: { access },
  secrets,
}: Pick<DataServiceDependencies, 'secrets'> & { readonly store: Pick<DataStore, 'access'> }): Promise<void> {
  const names: readonly SecretName[] = ['access-tokens', 'signed-urls'];
  for (const name of names) await access.replaceInstallationSecret(name, secrets.randomBytes(32));
}
