import { LabelService } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';

/** Who works on labels, as the service knows them. */
export interface Worker {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

export const sameWorker = (a: Omit<Worker, 'name'> | undefined, b: Omit<Worker, 'name'> | undefined): boolean =>
  a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id;

/** One text for a worker, as the service compares them. */
export const workerKey = ({ kind, id }: Omit<Worker, 'name'>): string => `${kind}:${id}`;

/** What the page knows of who uses it: a log-in, or the key of a server; nothing in a browser's own service. */
export type OwnAccess = Pick<DataContext, 'server'> & {
  readonly who?: { readonly personId: string; readonly personName: string };
};

/** Who the person at this page is for the shown data service: who is logged in, the holder of its key, or whoever uses this browser. */
export function ownWorker({ server, who }: OwnAccess): Worker {
  if (who) return { kind: 'person', id: who.personId, name: who.personName };
  return server ? { kind: 'key', id: server.keyId, name: '' } : { kind: 'browser', id: '', name: '' };
}

/** Why the person may neither check the work of others nor label images that are not assigned to them; '' if they may. */
export const reviewRefusal = ({ refusal }: Pick<DataContext, 'refusal'>): string =>
  refusal(LabelService.method.assignImages);

/** Whether the person may check the work of others, and label all images, as far as the page knows. */
export const mayReview = (context: Pick<DataContext, 'refusal'>): boolean => reviewRefusal(context) === '';
