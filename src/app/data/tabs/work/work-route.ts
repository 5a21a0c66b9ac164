import { taskStates, type TaskState } from '../../shared/work/task-words.ts';

/** The location in the Work tab: the overview, one's own tasks in the editor, or the check of what was handed in. */
export type WorkRoute =
  /** '' each: any */
  | { readonly kind: 'overview'; readonly datasetId: string; readonly state: TaskState | ''; readonly who: string }
  /** `pictureId`: as the box editor takes it */
  | { readonly kind: 'label'; readonly pictureId: string }
  | { readonly kind: 'review'; readonly imageId: string };

export const wholeOverview: WorkRoute = { kind: 'overview', datasetId: '', state: '', who: '' };

/** The part of the address after the tab's name. */
export function workRest(place: WorkRoute): string {
  if (place.kind === 'label') return `/label/${encodeURIComponent(place.pictureId)}`;
  if (place.kind === 'review') return `/review/${encodeURIComponent(place.imageId)}`;
  const query = new URLSearchParams();
  for (const name of ['datasetId', 'state', 'who'] as const) if (place[name] !== '') query.set(name, place[name]);
  const text = query.toString();
  return text && `?${text}`;
}

/** Parses the part of the address after the tab's name. Anything unknown is the overview. */
export function readWorkRest(rest: string): WorkRoute {
  const [, kind, encoded = ''] = /^\/(label|review)\/([^/?]+)$/.exec(rest) ?? [];
  const id = decoded(encoded);
  if (id !== '' && kind === 'label') return { kind, pictureId: id };
  if (id !== '' && kind === 'review') return { kind, imageId: id };
  const query = new URLSearchParams(rest.startsWith('?') ? rest.slice(1) : '');
  const state = taskStates.find((one) => one === query.get('state')) ?? '';
  return { kind: 'overview', datasetId: query.get('datasetId') ?? '', state, who: query.get('who') ?? '' };
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return ''; // typed by hand, with a stray "%"
  }
}
