import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

/** The two halves of the app: the bench sees, the data area keeps. */
export type Area = 'bench' | 'data';

interface Place {
  readonly area: Area;
  /** of the data area, on the bench the one to come back to; '' = its first */
  readonly tab: string;
  /** what the tab itself wrote behind its name: "/an-id", "?tags=a", or '' */
  readonly rest: string;
}

const MEMORY_KEY = 'place';
const START: Place = { area: 'bench', tab: '', rest: '' };

/**
 * Where in the app one is: `#/bench` or `#/data/<tab>` with whatever the tab appends. Other hashes, which open a shared
 * configuration, belong to the bench; without any it is the place of the last visit.
 */
export class AreaRoute {
  readonly #memory: MemoryPort;
  #page: Pick<Window, 'location' | 'history'> | null = null;
  #place = $state.raw<Place>(START);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  get area(): Area {
    return this.#place.area;
  }

  get tab(): string {
    return this.#place.tab;
  }

  get rest(): string {
    return this.#place.rest;
  }

  /** The address of a place, for links; of the data area without a tab, the one that was last open. */
  href(area: Area, tab = this.#place.tab, rest = ''): string {
    return area === 'bench' ? '#/bench' : `#/data${tab && `/${tab}`}${rest}`;
  }

  /** Goes there; `replace` leaves no entry in the history, as when a filter is being typed. */
  go(href: string, { replace = false } = {}): void {
    const page = this.#page;
    if (!page) throw new Error('AreaRoute.go() before listen().');
    if (replace) page.history.replaceState(page.history.state, '', href);
    else page.history.pushState(null, '', href);
    this.#take(parsePlace(href) ?? START);
  }

  /** Follows the address from now on. Returns what ends it. */
  listen(page: Window): () => void {
    this.#page = page;
    const { hash } = page.location;
    const { area, tab } = this.#remembered();
    const asked = hash.length > 1 ? (parsePlace(hash) ?? START) : { area, tab, rest: '' };
    this.#place = { ...START, tab };
    this.#take(asked);
    const follow = (): void => this.#take(parsePlace(page.location.hash) ?? START);
    page.addEventListener('hashchange', follow);
    page.addEventListener('popstate', follow);
    return () => {
      page.removeEventListener('hashchange', follow);
      page.removeEventListener('popstate', follow);
    };
  }

  #remembered(): Pick<Place, 'area' | 'tab'> {
    const before = recall(this.#memory, MEMORY_KEY) as { readonly area?: unknown; readonly tab?: unknown } | null;
    return { area: before?.area === 'data' ? 'data' : 'bench', tab: typeof before?.tab === 'string' ? before.tab : '' };
  }

  #take({ area, tab, rest }: Place): void {
    const now = this.#place;
    const place = { area, tab: tab || now.tab, rest };
    if (place.area === now.area && place.tab === now.tab && place.rest === now.rest) return;
    this.#place = place;
    // An id or a filter may be of the moment: a later visit begins at the tab.
    remember(this.#memory, MEMORY_KEY, { area, tab: place.tab });
  }
}

/** The place that a hash names; null for hashes of another kind. */
export function parsePlace(hash: string): Place | null {
  if (/^#\/bench\b/.test(hash)) return START;
  const match = /^#\/data(?:\/([\w-]+))?((?:[/?].*)?)$/.exec(hash);
  return match && { area: 'data', tab: match[1] ?? '', rest: match[2] === '/' ? '' : match[2]! };
}
