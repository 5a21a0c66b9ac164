import { once } from '../../../base/schedule/once.ts';

/**
 * Whether this page comes from a Sightglass server, which answers `host.json` by itself; the file of that name in the build says no, so
 * that a plain host of files sees no request that fails.
 */
export async function isServed(fetchFile: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = (await (await fetchFile('host.json')).json()) as { readonly servesData?: unknown };
    return answer.servesData === true;
  } catch {
    return false; // out of reach, as offline: this browser's own data is what is there
  }
}

/** The same, asked once a page. */
export const servedHere = once(() => isServed());
