import { cacheNames, fileAddress, isMine, isPage, largeKeys, type BuildFiles } from './cache-policy.ts';

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

  /** Caches the files needed to start, bypassing the browser's HTTP cache: all or none. */
  async install(): Promise<void> {
    const shell = await caches.open(this.#shellCache);
    await shell.addAll(this.#files.shell.map((path) => new Request(path, { cache: 'reload' })));
  }

  /** Answers from the cache, otherwise from the network; a large file is cached when it is first requested. */
  async answer(request: Request): Promise<Response> {
    const shell = await caches.open(this.#shellCache);
    // Module scripts are requested with an Origin header. If the host varies by Origin, files that were cached
    // without one would not match.
    const cached = await shell.match(isPage(request, this.#scope) ? this.#scope : request, { ignoreVary: true });
    if (cached) return cached;
    const key = this.#keyOf.get(fileAddress(request.url));
    if (!key) return fetch(request);
    const large = await caches.open(this.#largeCache);
    const kept = await large.match(key);
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) await large.put(key, response.clone()).catch(() => undefined); // no room: it stays on the network
    return response;
  }

  /** Caches the large files that an activity needs offline. */
  async fetchInBackground(activity: 'background' | 'docs'): Promise<void> {
    const large = await caches.open(this.#largeCache);
    for (const path of this.#files[activity]) {
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

  /** Deletes the caches of other builds, but not those of other apps on this origin. */
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
