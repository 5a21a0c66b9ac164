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
  /** the tab of the area; '': the one that was open last, at first the first one */
  readonly tab: string;
  /** what the tab itself appended to its name: "/an-id", "?tags=a", or '' */
  readonly rest: string;
}

const MEMORY_KEY = 'place';
const START: Place = { area: 'bench', tab: '', rest: '' };

/**
 * The app's route: `#/bench`, or `#/data/<tab>` and `#/evaluate/<tab>` with whatever the tab appends. Other hashes, which
 * open a shared configuration, belong to the bench; without a hash it is the route of the last visit.
 */
export class AreaRoute {
  readonly #memory: MemoryPort;
  #page: Pick<Window, 'location' | 'history' | 'addEventListener'> | null = null;
  #place = $state.raw<Place>(START);
  /** The tab of each area that was open last. */
  #tabs = $state.raw<Readonly<Partial<Record<Area, string>>>>({});

  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  get area(): Area {
    return this.#place.area;
  }

  /** The tab of an area that is open, or was open last; '': none yet. */
  tabOf(area: Area): string {
    return this.#tabs[area] ?? '';
  }

  get rest(): string {
    return this.#place.rest;
  }

  /** The address of a route, for links; without a tab, the one of the area that was open last. */
  href(area: Area, tab = this.tabOf(area), rest = ''): string {
    return `#/${area}${tab && `/${tab}`}${rest}`;
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
    const { history } = page;
    const { state } = history;
    // An open dialog has an entry of its own (kit/layout/close-by-back.ts): what is below it changes once the browser is back there.
    const again = (): void => page.addEventListener('popstate', () => this.go(href, { replace }), { once: true });
    if (state === 'leaving') return again();
    if (state && replace) again();
    if (replace) history.replaceState(state, '', href);
    else if (state) history.replaceState(null, '', href);
    else history.pushState(null, '', href);
    this.#take(parsePlace(href) ?? START);
  }

  /** Follows changes of the address. Returns the function that ends it. */
  listen(page: Window): () => void {
    this.#page = page;
    const { hash } = page.location;
    if (page.history.state) page.history.back(); // from the entry of a dialog that was open when the page was loaded again
    const { area, tabs } = this.#remembered();
    this.#tabs = tabs;
    this.#take(hash.length > 1 ? (parsePlace(hash) ?? START) : { area, tab: '', rest: '' });
    const follow = (): void => this.#take(parsePlace(page.location.hash) ?? START);
    page.addEventListener('hashchange', follow);
    page.addEventListener('popstate', follow);
    return () => {
      page.removeEventListener('hashchange', follow);
      page.removeEventListener('popstate', follow);
    };
  }

  #remembered(): { readonly area: Area; readonly tabs: Readonly<Partial<Record<Area, string>>> } {
    const before = recall(this.#memory, MEMORY_KEY) as { readonly area?: unknown; readonly tabs?: unknown } | null;
    const areas = Object.keys(areaNames) as Area[];
    const tabs = areas.flatMap((area) => {
      const tab = (before?.tabs as Readonly<Record<string, unknown>> | undefined)?.[area];
      return typeof tab === 'string' ? [[area, tab] as const] : [];
    });
    return { area: areas.find((name) => name === before?.area) ?? 'bench', tabs: Object.fromEntries(tabs) };
  }

  #take(place: Place): void {
    const now = this.#place;
    const tab = place.tab || this.tabOf(place.area);
    if (place.area === now.area && tab === now.tab && place.rest === now.rest) return;
    this.#place = { ...place, tab };
    this.#tabs = { ...this.#tabs, [place.area]: tab };
    // An id or a filter may be temporary: a later visit starts at the tab.
    remember(this.#memory, MEMORY_KEY, { area: place.area, tabs: this.#tabs });
  }
}

/** The route that a hash names; null for other hashes. */
export function parsePlace(hash: string): Place | null {
  if (/^#\/bench\b/.test(hash)) return START;
  // An invitation of a server (`#/invitation/TOKEN`) is opened by the data area. Replay was a tab of the data area.
  const address = hash.replace('#/inv', '#/data/inv').replace(/^#\/data(?=\/replay\b)/, '#/evaluate');
  const match = /^#\/(data|evaluate)(?:\/([\w-]+))?((?:[/?].*)?)$/.exec(address);
  return match && { area: match[1] as Area, tab: match[2] ?? '', rest: match[3] === '/' ? '' : match[3]! };
}
