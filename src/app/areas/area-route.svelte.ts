import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

/**
 * The areas of the app: on the bench a person runs models, in the data area the stored data is shown and edited, in
 * the third one the model is evaluated on that data.
 */
export type Area = 'bench' | 'data' | 'evaluate';

/** The areas in the order of the header, with their names. */
export const areaNames: Readonly<Record<Area, string>> = { bench: 'Bench', data: 'Data', evaluate: 'Evaluate' };

interface Place {
  readonly area: Area;
  /** the tab of the data area, kept while the bench is shown; '': its first tab */
  readonly tab: string;
  /** what the tab itself appended to its name: "/an-id", "?tags=a", or '' */
  readonly rest: string;
}

const MEMORY_KEY = 'place';
const START: Place = { area: 'bench', tab: '', rest: '' };

/**
 * The app's route: `#/bench`, `#/evaluate`, or `#/data/<tab>` with whatever the tab appends. Other hashes, which open a shared
 * configuration, belong to the bench; without a hash it is the route of the last visit.
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

  /** The address of a route, for links; without a tab, the data tab that was open last. */
  href(area: Area, tab = this.#place.tab, rest = ''): string {
    return area === 'data' ? `#/data${tab && `/${tab}`}${rest}` : `#/${area}`;
  }

  /** The area after this one in the header; the first one follows the last. */
  get next(): Area {
    const areas = Object.keys(areaNames) as Area[];
    return areas[(areas.indexOf(this.area) + 1) % areas.length]!;
  }

  /** Navigates to an address; `replace` adds no entry to the history, as while a filter is being typed. */
  go(href: string, { replace = false } = {}): void {
    const page = this.#page;
    if (!page) throw new Error('AreaRoute.go() before listen().');
    if (replace) page.history.replaceState(page.history.state, '', href);
    else page.history.pushState(null, '', href);
    this.#take(parsePlace(href) ?? START);
  }

  /** Follows changes of the address. Returns the function that ends it. */
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
    const area = Object.keys(areaNames).find((name): name is Area => name === before?.area) ?? 'bench';
    return { area, tab: typeof before?.tab === 'string' ? before.tab : '' };
  }

  #take({ area, tab, rest }: Place): void {
    const now = this.#place;
    const place = { area, tab: tab || now.tab, rest };
    if (place.area === now.area && place.tab === now.tab && place.rest === now.rest) return;
    this.#place = place;
    // An id or a filter may be temporary: a later visit starts at the tab.
    remember(this.#memory, MEMORY_KEY, { area, tab: place.tab });
  }
}

/** The route that a hash names; null for other hashes. */
export function parsePlace(hash: string): Place | null {
  if (/^#\/bench\b/.test(hash)) return START;
  if (/^#\/evaluate\b/.test(hash)) return { ...START, area: 'evaluate' };
  const match = /^#\/data(?:\/([\w-]+))?((?:[/?].*)?)$/.exec(hash);
  return match && { area: 'data', tab: match[1] ?? '', rest: match[2] === '/' ? '' : match[2]! };
}
