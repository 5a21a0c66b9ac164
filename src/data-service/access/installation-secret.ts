import type { DataServiceDependencies } from '../dependencies.ts';
import type { AccessStore } from '../ports/access-store.ts';

const known = new WeakMap<AccessStore, Map<string, Promise<Uint8Array>>>();

/** A secret of the installation, which never changes: asked of its store once, since every call needs one. */
export function installationSecret(
  { store: { access }, secrets }: Pick<DataServiceDependencies, 'store' | 'secrets'>,
  name: 'access-tokens' | 'signed-urls',
): Promise<Uint8Array> {
  const ofStore = known.get(access) ?? new Map<string, Promise<Uint8Array>>();
  known.set(access, ofStore);
  const pending =
    ofStore.get(name) ??
    access.installationSecret(name, secrets.randomBytes(32)).catch((error: unknown) => {
      ofStore.delete(name);
      throw error;
    });
  ofStore.set(name, pending);
  return pending;
}
