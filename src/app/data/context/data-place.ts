/** The tabs, each by the name of its folder. */
export type DataTab =
  'images' | 'point-clouds' | 'sensors' | 'files' | 'query' | 'pipelines' | 'datasets' | 'outbox' | 'settings';

/** Where one is in the data area. Reactive: read it in markup, `$derived` and `$effect`. */
export interface DataPlace {
  readonly tab: DataTab;
  /** What the open tab itself keeps in the address behind its name: '', "/an-id", "?tags=a"; the tab writes and parses it. */
  readonly rest: string;
  /** The address of a tab, for `<a href>`; `rest` as above. */
  href(tab: DataTab, rest?: string): string;
  /** Goes there, with an entry in the history; `replace`: without one, as while a filter is typed. */
  go(tab: DataTab, rest?: string, options?: { readonly replace?: boolean }): void;
}
