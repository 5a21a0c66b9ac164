import { CaptureStoreError } from '../../../../evidence/capture/capture-store.ts';
import type { ServerTarget } from '../../../../remote/outbox/outbox-target.ts';
import type { TargetKeys } from '../../../../remote/outbox/target-keys.ts';
import type { CaptureDatabase } from './capture-database.ts';
import { carryKeys, takeCarriedKeys, type CarriedKey } from './keys-over-reload.ts';
import type { SealedKey } from './schema.ts';

/** A key that a tab was given, for the tabs that send; or a tab that asks which are known. */
type Word = ({ readonly kind: 'given' } & KnownKey) | { readonly kind: 'asked' };

/** `place` is what the key was given for: a target whose address is changed has none. */
interface KnownKey {
  readonly targetId: string;
  readonly place: string;
  readonly key: string;
}

const vaultKey = 'keys';

export interface OpenTargetKeys extends TargetKeys {
  /** Called when a key came from another tab. */
  onKey: () => void;
  /** the targets whose keys came over a reload of this tab */
  readonly carried: Promise<readonly string[]>;
  close(): void;
}

/**
 * Keys in memory, shared between the tabs of the app while one is open; kept only if asked, encrypted by AES-GCM with a
 * key that WebCrypto never hands out. What was kept for one address does not open for another. A reload is no end of a
 * visit: encrypted so, keys go over it within the tab (`keys-over-reload.ts`).
 */
export function idbTargetKeys(database: CaptureDatabase, channelName: string): OpenTargetKeys {
  const inMemory = new Map<string, KnownKey>();
  const channel = new BroadcastChannel(channelName);
  const tell = (word: Word): void => channel.postMessage(word);
  /** the same keys, encrypted: when the page goes there is no time for it */
  const sealedInMemory = new Map<string, CarriedKey>();
  async function hold(known: KnownKey): Promise<void> {
    inMemory.set(known.targetId, known);
    sealedInMemory.delete(known.targetId);
    const carriedKey = await sealForReload(database, known).catch(() => null); // then a reload asks for it
    if (carriedKey && inMemory.get(known.targetId) === known) sealedInMemory.set(known.targetId, carriedKey);
  }
  async function takeOver(): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const one of takeCarriedKeys()) {
      const known = await unsealAfterReload(database, one).catch(() => null);
      if (!known || inMemory.has(known.targetId)) continue; // given anew meanwhile
      await hold(known);
      taken.push(known.targetId);
    }
    return taken;
  }
  const stopCarrying = carryKeys(() => [...sealedInMemory.values()]);
  const carried = takeOver();
  const keys: OpenTargetKeys = {
    onKey: () => {},
    carried,
    async get(target) {
      await carried;
      const place = placeOf(target);
      const known = inMemory.get(target.id);
      if (known?.place === place) return known.key;
      const key = await unseal(database, target);
      if (key !== null) inMemory.set(target.id, { targetId: target.id, place, key }); // kept, so it needs no carrying
      return key;
    },
    async give(target, key, keep) {
      if (keep) await seal(database, target, key);
      else await forgetKept(database, target.id);
      const known: KnownKey = { targetId: target.id, place: placeOf(target), key };
      await hold(known);
      tell({ kind: 'given', ...known });
    },
    isKept: (targetId) =>
      database.read(['keys'], async (tx) => (await tx.objectStore('keys').getKey(targetId)) !== undefined),
    async forget(targetId) {
      inMemory.delete(targetId);
      sealedInMemory.delete(targetId);
      await forgetKept(database, targetId);
    },
    close() {
      stopCarrying();
      channel.close();
    },
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'asked') for (const known of inMemory.values()) tell({ kind: 'given', ...known });
    else {
      void hold(data);
      keys.onKey();
    }
  };
  tell({ kind: 'asked' });
  return keys;
}

async function seal(database: CaptureDatabase, target: ServerTarget, key: string): Promise<void> {
  requireWebCrypto();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: boundTo(target) };
  const ciphertext = await crypto.subtle.encrypt(algorithm, await vault(database), new TextEncoder().encode(key));
  await database.write(['keys'], async (tx) => void (await tx.objectStore('keys').put({ iv, ciphertext }, target.id)));
}

const reloadPurpose = new TextEncoder().encode('over a reload');

async function sealForReload(database: CaptureDatabase, known: KnownKey): Promise<CarriedKey | null> {
  if (!isSecureContext) return null; // plain http has no encryption: there a reload asks again
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: reloadPurpose };
  const text = new TextEncoder().encode(JSON.stringify(known));
  const ciphertext = await crypto.subtle.encrypt(algorithm, await vault(database), text);
  return { targetId: known.targetId, iv: base64(iv), ciphertext: base64(new Uint8Array(ciphertext)) };
}

async function unsealAfterReload(database: CaptureDatabase, { iv, ciphertext }: CarriedKey): Promise<KnownKey> {
  const algorithm = { name: 'AES-GCM', iv: bytesOf(iv), additionalData: reloadPurpose };
  const text = await crypto.subtle.decrypt(algorithm, await vault(database), bytesOf(ciphertext));
  return JSON.parse(new TextDecoder().decode(text)) as KnownKey;
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** null: none was kept, or it no longer opens (another address, or the vault was cleared). */
async function unseal(database: CaptureDatabase, target: ServerTarget): Promise<string | null> {
  const sealed: SealedKey | undefined = await database.read(['keys'], (tx) => tx.objectStore('keys').get(target.id));
  if (!sealed || !isSecureContext) return null;
  const algorithm = { name: 'AES-GCM', iv: sealed.iv, additionalData: boundTo(target) };
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, await vault(database), sealed.ciphertext));
  } catch {
    return null;
  }
}

async function vault(database: CaptureDatabase): Promise<CryptoKey> {
  const known = await database.read(['vault'], (tx) => tx.objectStore('vault').get(vaultKey));
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return database.write(['vault'], async (transaction) => {
    const first = await transaction.objectStore('vault').get(vaultKey); // another tab's, since
    if (first) return first;
    await transaction.objectStore('vault').put(made, vaultKey);
    return made;
  });
}

function forgetKept(database: CaptureDatabase, targetId: string): Promise<void> {
  return database.write(['keys'], (tx) => tx.objectStore('keys').delete(targetId));
}

const placeOf = ({ id, url, keyId }: ServerTarget): string => JSON.stringify([id, url, keyId]);

const boundTo = (target: ServerTarget): Uint8Array<ArrayBuffer> => new TextEncoder().encode(placeOf(target));

function requireWebCrypto(): void {
  if (isSecureContext) return;
  throw new CaptureStoreError(
    'unavailable',
    'A page on plain http has no encryption to keep a key with. Use it without keeping it, or open the app over https.',
  );
}
