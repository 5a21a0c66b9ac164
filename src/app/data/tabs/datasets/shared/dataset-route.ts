/** The tabs of a dataset. */
export type DatasetPane = 'images' | 'labels' | 'work' | 'health' | 'drift' | 'split' | 'export';
const panes: readonly DatasetPane[] = ['images', 'labels', 'work', 'health', 'drift', 'split', 'export'];

/** The location in the Datasets tab: the list, an import, or one dataset. */
export type DatasetRoute =
  | { readonly kind: 'list' }
  /** `into`: id of the dataset from which the import was opened; '' = none */
  | { readonly kind: 'import'; readonly into: string }
  | { readonly kind: 'dataset'; readonly id: string; readonly pane: DatasetPane; readonly finding: string | null }
  /** `order`: id of the order of corrections that the editor follows, as the evaluation drew it */
  | { readonly kind: 'edit'; readonly id: string; readonly imageId: string; readonly order?: string };

/** The part of the address after the tab's name. */
export function datasetRest(place: DatasetRoute): string {
  switch (place.kind) {
    case 'list':
      return '';
    case 'import':
      return place.into ? `/import/${encodeURIComponent(place.into)}` : '/import';
    case 'edit': {
      const order = place.order === undefined ? '' : `?order=${encodeURIComponent(place.order)}`;
      return `/${encodeURIComponent(place.id)}/edit/${encodeURIComponent(place.imageId)}${order}`;
    }
    case 'dataset': {
      const finding = place.finding === null ? '' : `/${encodeURIComponent(place.finding)}`;
      return `/${encodeURIComponent(place.id)}${place.pane === 'images' ? '' : `/${place.pane}`}${finding}`;
    }
  }
}

/** The location of a dataset: its images, unless another tab is given. */
export const openDataset = (id: string, pane: DatasetPane = 'images', finding: string | null = null): DatasetRoute => ({
  kind: 'dataset',
  id,
  pane,
  finding,
});

/** Parses the part of the address after the tab's name. Anything unknown is the list. */
export function readDatasetRest(rest: string): DatasetRoute {
  const [first = '', second = '', third = ''] = segmentsOf(rest) ?? [];
  if (first === '') return { kind: 'list' };
  if (first === 'import') return { kind: 'import', into: second };
  if (second === 'edit' && third !== '') return { kind: 'edit', id: first, imageId: third, ...orderIn(rest) };
  const pane = panes.find((name) => name === second) ?? 'images';
  return openDataset(first, pane, pane === 'health' && third !== '' ? third : null);
}

function orderIn(rest: string): { readonly order?: string } {
  const order = new URLSearchParams(rest.split('?')[1] ?? '').get('order');
  return order ? { order } : {};
}

/** null if the address cannot be decoded, as with a stray "%" that was typed by hand */
function segmentsOf(rest: string): readonly string[] | null {
  try {
    return rest.replace(/\?.*$/, '').split('/').slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}
