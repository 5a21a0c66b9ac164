/** A key as it lies in this tab while its page is loaded again: encrypted, in base64. */
export interface CarriedKey {
  readonly targetId: string;
  readonly iv: string;
  readonly ciphertext: string;
}

interface Carried {
  readonly leftMs: number;
  readonly keys: readonly CarriedKey[];
}

/** The part of the tab's session storage that is used: the service worker, which shares this file, has no type for it. */
interface TabStorage {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
}

const itemName = 'sightglass:keys-over-reload';
/** A tab that comes back later was closed in between, and opened again. */
const longestReloadMs = 60_000;

/**
 * Keys that the page before a reload left in this tab, once: they lie there only while no page is open, as a tab that is
 * closed may be opened again from what the browser keeps of it. None in a worker, and after anything but a reload.
 */
export function takeCarriedKeys(): readonly CarriedKey[] {
  const storage = tabStorage();
  const text = storage?.getItem(itemName) ?? null;
  if (text === null) return [];
  storage!.removeItem(itemName);
  const { leftMs, keys } = JSON.parse(text) as Carried;
  return performance.timeOrigin - leftMs < longestReloadMs ? keys : [];
}

/** Leaves keys for the page that comes when this one goes. Returns what ends it. */
export function carryKeys(keys: () => readonly CarriedKey[]): () => void {
  const storage = tabStorage();
  if (!storage) return () => undefined;
  const leave = (): void => {
    if (keys().length === 0) return;
    storage.setItem(itemName, JSON.stringify({ leftMs: Date.now(), keys: keys() } satisfies Carried));
  };
  const comeBack = (event: Event): void => {
    if ('persisted' in event && event.persisted) storage.removeItem(itemName); // the page was only hidden, and has its keys
  };
  addEventListener('pagehide', leave);
  addEventListener('pageshow', comeBack);
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', comeBack);
  };
}

/** null in a worker, and where the browser lets a page keep nothing */
function tabStorage(): TabStorage | null {
  try {
    return (globalThis as { readonly sessionStorage?: TabStorage }).sessionStorage ?? null;
  } catch {
    return null;
  }
}
