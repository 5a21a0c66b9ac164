/** What a build consists of, as paths relative to the page. */
export interface BuildFiles {
  /** changes whenever a file of the shell does */
  readonly version: string;
  /** needed to start: kept at installation, all or nothing; './' is the page itself */
  readonly shell: readonly string[];
  /** kept when first used; by path the content's hash */
  readonly large: Readonly<Record<string, string>>;
  /** those of the large files that working offline needs: kept in the background */
  readonly background: readonly string[];
}

const prefix = 'sightglass-';

export function cacheNames(version: string): { readonly shellCache: string; readonly largeCache: string } {
  return { shellCache: `${prefix}shell-${version}`, largeCache: `${prefix}large` };
}

/** Other apps may share the origin: their caches are theirs. */
export function isMine(cacheName: string): boolean {
  return cacheName.startsWith(`${prefix}shell-`) || cacheName === `${prefix}large`;
}

/** Whether a visit is to the app itself. Whatever else its host has below the same folder is not the app's to answer. */
export function isPage({ mode, url }: Pick<Request, 'mode' | 'url'>, scope: string): boolean {
  const address = url.replace(/[?#].*$/, '');
  return mode === 'navigate' && (address === scope || address === `${scope}index.html`);
}

/** Under what a large file is kept: a new content is another entry. By the URL that asks for it. */
export function largeKeys({ large }: BuildFiles, scope: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(large).map(([path, revision]) => {
      const { href } = new URL(path, scope);
      return [href, `${href}?${revision}`];
    }),
  );
}
