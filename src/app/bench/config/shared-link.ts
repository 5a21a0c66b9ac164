import { ShareError } from '../../../machine/config/face/edits.ts';
import type { ConfigState } from './config-state.svelte.ts';

/**
 * Opens `#config=…`; true: the address contained one, readable or not. The decoder is loaded with the first use.
 */
export async function openSharedLink(config: Pick<ConfigState, 'importText' | 'say'>, hash: string): Promise<boolean> {
  const encoded = /^#(?!\/)(?:.*&)?config=([^&]*)/.exec(hash)?.[1];
  if (encoded === undefined) return false;
  const unpacking = await import('../../../machine/config/face/shared-links.ts').catch(() => null);
  if (!unpacking) {
    config.say(
      'The part of the app that unpacks the link could not be loaded. Check the connection and reload the page.',
    );
    return false;
  }
  try {
    const isWhole = config.importText(unpacking.decodeShare(encoded), 'Open a shared configuration');
    if (isWhole) config.say('Opened the configuration of the link. Undo restores the previous one.');
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    config.say(error.message);
  }
  return true;
}

/**
 * Opens a configuration from the address, now and whenever it changes, and saves the state when the page is
 * closed. Resolves, once the present address was read, to the function that ends this.
 */
export async function followSharedLinks(config: ConfigState, page: Window): Promise<() => void> {
  const open = async (): Promise<void> => {
    if (await openSharedLink(config, page.location.hash)) {
      page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search);
    }
  };
  const leave = (): void => config.flush();
  const openNext = (): void => void open();
  page.addEventListener('hashchange', openNext);
  page.addEventListener('pagehide', leave);
  await open();
  return () => {
    page.removeEventListener('hashchange', openNext);
    page.removeEventListener('pagehide', leave);
    leave();
  };
}
