import type { CaptureMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { resourceText, type Resource } from './listed-sequence.ts';
import {
  captureCount,
  captureKinds,
  capturePage,
  type CaptureCounts,
  type CaptureFilter,
  type CaptureKind,
} from './stored-captures.ts';

/** A resource of a part, and what is stored of it. */
export interface FoundResource extends Resource {
  readonly partId: string;
  readonly partName: string;
  /** how many captures of each kind */
  readonly counts: CaptureCounts;
  /** when the newest was captured, since 1970 */
  readonly newestMs: number;
}

/** How far a search for resources has come. */
export interface ResourceSearch {
  /** those with the newest captures first */
  readonly resources: readonly FoundResource[];
  /** how many captures were looked at, and how many there are */
  readonly read: number;
  readonly total: number;
}

type Ports = Pick<DataContext, 'data' | 'home'>;

const pageCaptures = 1000;

/**
 * All resources that have captured images or readings. Looks at captures page by page, the newest first, until all that are stored are
 * known to be of the resources found: where the first page names all resources, that is one page.
 *
 * @returns how far it has come, after every page; the last one is complete
 */
export async function* findResources({ data, home }: Ports, signal: AbortSignal): AsyncGenerator<ResourceSearch> {
  const found = new Map<string, FoundResource>();
  const searches = captureKinds.map((kind) => searchOf({ data, home }, kind, found, signal));
  for (let steps = await stepsOf(searches); ; steps = await stepsOf(searches)) {
    yield {
      resources: [...found.values()].sort(
        (a, b) => b.newestMs - a.newestMs || (resourceText(a) < resourceText(b) ? -1 : 1),
      ),
      read: steps.reduce((sum, { read }) => sum + read, 0),
      total: steps.reduce((sum, { total }) => sum + total, 0),
    };
    if (steps.every(({ isOver }) => isOver)) return;
  }
}

interface Step {
  readonly read: number;
  readonly total: number;
  readonly isOver: boolean;
}

/** The next step of each; the last one stays. */
const stepsOf = (searches: readonly (() => Promise<Step>)[]): Promise<Step[]> =>
  Promise.all(searches.map((next) => next()));

/** Looks at one page of captures of a kind whenever it is called, and adds the resources that are new. */
function searchOf(
  { data, home }: Ports,
  kind: CaptureKind,
  found: Map<string, FoundResource>,
  signal: AbortSignal,
): () => Promise<Step> {
  const everything = { organizationIds: [home.organizationId] };
  const seen = new Set<string>();
  /** captures that are of the resources seen, or that were looked at and name none */
  let known = 0;
  let last = '';
  let step: Step = { read: 0, total: 0, isOver: false };
  return async () => {
    if (step.isOver) return step;
    const page = await capturePage(data, kind, { filter: everything, limit: pageCaptures, last }, signal);
    const fresh = new Map<string, FoundResource>();
    for (const { of, timeMs } of page.captures) {
      const key = JSON.stringify([of.partId, of.componentName, of.methodName]);
      if (of.componentName === '' || of.methodName === '') known++;
      else if (!seen.has(key)) {
        seen.add(key);
        fresh.set(key, foundResource(of, timeMs));
      }
    }
    const counts = await Promise.all(
      [...fresh.values()].map((one) => captureCount(data, kind, filterOf(home, one), signal)),
    );
    for (const [at, [key, resource]] of [...fresh].entries()) {
      known += counts[at]!;
      const { counts: others, newestMs } = found.get(key) ?? resource;
      found.set(key, {
        ...resource,
        counts: { ...others, [kind]: counts[at]! },
        newestMs: Math.max(newestMs, resource.newestMs),
      });
    }
    // Counted after the resources: what has come in between makes the search longer, and never ends it too early.
    const isCounted = fresh.size === 0 && step.read > 0;
    const total = isCounted ? step.total : await captureCount(data, kind, everything, signal);
    last = page.last;
    step = {
      read: step.read + page.captures.length,
      total,
      isOver: known >= total || page.captures.length === 0 || last === '',
    };
    return step;
  };
}

const foundResource = (
  { partId, partName, componentName, methodName }: CaptureMetadata,
  newestMs: number,
): FoundResource => ({
  partId,
  partName: partName || partId,
  resourceName: componentName,
  methodName,
  counts: { images: 0, readings: 0 },
  newestMs,
});

/** The captures of a resource of a part. */
export const filterOf = (
  { organizationId }: DataContext['home'],
  { partId, resourceName, methodName }: Resource & { readonly partId: string },
): CaptureFilter => ({ organizationIds: [organizationId], partId, componentName: resourceName, method: methodName });
