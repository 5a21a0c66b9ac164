/** The tabs, by the names of their folders. */
export type DataTab =
  | 'images'
  | 'point-clouds'
  | 'sensors'
  | 'files'
  | 'sequences'
  | 'replay'
  | 'query'
  | 'pipelines'
  | 'datasets'
  | 'work'
  | 'outbox'
  | 'settings';

/** The current location in the data area. It is reactive: read it in markup, `$derived` and `$effect`. */
export interface DataRoute {
  readonly tab: DataTab;
  /** The part of the address behind the tab's name: '', "/an-id", "?tags=a"; the tab writes and parses it. */
  readonly rest: string;
  /** The address of a tab, for `<a href>`. */
  href(tab: DataTab, rest?: string): string;
  /** Navigates, with an entry in the history; `replace`: without one, as while a person types a filter. */
  go(tab: DataTab, rest?: string, options?: { readonly replace?: boolean }): void;
}
