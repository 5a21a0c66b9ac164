import { cacheNames, isMine, isPage, largeKeys, type BuildFiles } from './cache-policy.ts';

/** The files of one build, in the caches of the browser. */
export class KeptFiles {
  readonly #files: BuildFiles;
  readonly #scope: string;
  readonly #shellCache: string;
  readonly #largeCache: string;
  readonly #keyOf: ReadonlyMap<string, string>;

  constructor(files: BuildFiles, scope: string) {
    this.#files = files;
    this.#scope = scope;
    ({ shellCache: this.#shellCache, largeCache: this.#largeCache } = cacheNames(files.version));
    this.#keyOf = largeKeys(files, scope);
  }

  /** Keeps what is needed to start, past the browser's own cache: all of it or nothing. */
  async install(): Promise<void> {
    const shell = await caches.open(this.#shellCache);
    await shell.addAll(this.#files.shell.map((path) => new Request(path, { cache: 'reload' })));
  }

  /** A kept file, else what the network says; a large file is kept when it is first asked for. */
  async answer(request: Request): Promise<Response> {
    const shell = await caches.open(this.#shellCache);
    // Hosts that vary by Origin would hide what was kept without one from module scripts, which send one.
    const cached = await shell.match(isPage(request, this.#scope) ? this.#scope : request, { ignoreVary: true });
    if (cached) return cached;
    const key = this.#keyOf.get(request.url.replace(/[?#].*$/, ''));
    if (!key) return fetch(request);
    const large = await caches.open(this.#largeCache);
    const kept = await large.match(key);
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) await large.put(key, response.clone()).catch(() => undefined); // no room: it stays on the network
    return response;
  }

  /** Keeps the large files that working offline needs. */
  async fetchInBackground(): Promise<void> {
    const large = await caches.open(this.#largeCache);
    for (const path of this.#files.background) {
      const url = new URL(path, this.#scope).href;
      const key = this.#keyOf.get(url)!;
      if (await large.match(key)) continue;
      try {
        const response = await fetch(url);
        if (response.ok) await large.put(key, response);
      } catch {
        return; // offline, or no room: another time
      }
    }
  }

  /** Removes what other builds kept. Caches of other apps on this origin stay. */
  async removeOthers(): Promise<void> {
    const names = await caches.keys();
    const old = names.filter((name) => isMine(name) && name !== this.#shellCache && name !== this.#largeCache);
    await Promise.all(old.map((name) => caches.delete(name)));
    const large = await caches.open(this.#largeCache);
    const current = new Set(this.#keyOf.values());
    const outdated = (await large.keys()).filter(({ url }) => !current.has(url));
    await Promise.all(outdated.map((request) => large.delete(request)));
  }
}
