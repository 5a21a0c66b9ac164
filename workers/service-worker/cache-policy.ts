/** The files of a build, as paths relative to the page. */
export interface BuildFiles {
  /** changes whenever a file of the shell changes */
  readonly version: string;
  /** files needed to start, cached at installation, all or none; './' is the page itself */
  readonly shell: readonly string[];
  /** files cached when first used: their content hash by path */
  readonly large: Readonly<Record<string, string>>;
  /** the large files that work offline needs: cached in the background */
  readonly background: readonly string[];
  /** the large files that reading the documentation offline needs, cached when a page of it was opened */
  readonly docs: readonly string[];
}

const prefix = 'sightglass-';

export function cacheNames(version: string): { readonly shellCache: string; readonly largeCache: string } {
  return { shellCache: `${prefix}shell-${version}`, largeCache: `${prefix}large` };
}

/** Whether a cache belongs to this app: other apps may share the origin. */
export function isMine(cacheName: string): boolean {
  return cacheName.startsWith(`${prefix}shell-`) || cacheName === `${prefix}large`;
}

/**
 * Whether a navigation is to the app itself. The service worker must not answer for other pages below the same
 * folder.
 */
export function isPage({ mode, url }: Pick<Request, 'mode' | 'url'>, scope: string): boolean {
  const address = withoutQuery(url);
  return mode === 'navigate' && (address === scope || address === `${scope}index.html`);
}

/** Whether the address is one of a log-in: the host answers it each time, sends the browser to its provider and sets cookies. */
export function isLogin(url: string, scope: string): boolean {
  const address = withoutQuery(url);
  return address === `${scope}login` || address === `${scope}login/callback`;
}

/** The address without query and fragment; a folder of the documentation is its index.html. */
export function fileAddress(url: string): string {
  return withoutQuery(url).replace(/\/docs\/(.*\/)?$/, '$&index.html');
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');

/** The cache keys of large files by their URLs; new content gets a new key. */
export function largeKeys({ large }: BuildFiles, scope: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(large).map(([path, revision]) => {
      const { href } = new URL(path, scope);
      return [href, `${href}?${revision}`];
    }),
  );
}
