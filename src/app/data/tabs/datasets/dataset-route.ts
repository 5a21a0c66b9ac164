/** What of a dataset is shown. */
export type DatasetPane = 'images' | 'health' | 'split' | 'export';
const panes: readonly DatasetPane[] = ['images', 'health', 'split', 'export'];

/** Where one is in the datasets: their list, an import, or one of them. */
export type DatasetRoute =
  | { readonly kind: 'list' }
  /** `into`: the dataset that was open; '' = none */
  | { readonly kind: 'import'; readonly into: string }
  | { readonly kind: 'dataset'; readonly id: string; readonly pane: DatasetPane; readonly finding: string | null }
  | { readonly kind: 'edit'; readonly id: string; readonly imageId: string };

/** What stands behind the tab's name in the address. */
export function datasetRest(place: DatasetRoute): string {
  switch (place.kind) {
    case 'list':
      return '';
    case 'import':
      return place.into ? `/import/${encodeURIComponent(place.into)}` : '/import';
    case 'edit':
      return `/${encodeURIComponent(place.id)}/edit/${encodeURIComponent(place.imageId)}`;
    case 'dataset': {
      const finding = place.finding === null ? '' : `/${encodeURIComponent(place.finding)}`;
      return `/${encodeURIComponent(place.id)}${place.pane === 'images' ? '' : `/${place.pane}`}${finding}`;
    }
  }
}

/** The images of a dataset. */
export const openDataset = (id: string, pane: DatasetPane = 'images', finding: string | null = null): DatasetRoute => ({
  kind: 'dataset',
  id,
  pane,
  finding,
});

/** Reads such an address; what it does not know is the list. */
export function readDatasetRest(rest: string): DatasetRoute {
  const [first = '', second = '', third = ''] = segmentsOf(rest) ?? [];
  if (first === '') return { kind: 'list' };
  if (first === 'import') return { kind: 'import', into: second };
  if (second === 'edit' && third !== '') return { kind: 'edit', id: first, imageId: third };
  const pane = panes.find((name) => name === second) ?? 'images';
  return openDataset(first, pane, pane === 'health' && third !== '' ? third : null);
}

/** null for an address typed by hand, with a stray "%" */
function segmentsOf(rest: string): readonly string[] | null {
  try {
    return rest.replace(/\?.*$/, '').split('/').slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}
