import type { MessageInitShape } from '@bufbuild/protobuf';
import { ResultKind, type RecordingSchema } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { isWithin } from '../access/place.ts';
import type { Principal } from '../ports/principal.ts';
import { withinReach } from '../access/require-access.ts';
import { filesSeenBy } from '../labels/hidden-boxes.ts';
import type { DataStore } from '../ports/data-store.ts';
import { byText } from '../ports/name-order.ts';
import { recordedFrames } from '../ports/result-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { toTimestamp } from '../wire/timestamps.ts';

type Recording = MessageInitShape<typeof RecordingSchema>;

/** Number of the newest frames that are looked at for the kinds of results that a service gives. */
const looked = 100;

/** The vision services of which a caller may see captures, by the names of their parts and their own. */
export async function listRecordings(
  store: Pick<DataStore, 'results' | 'binary' | 'labels'>,
  principal: Principal,
  signal: AbortSignal,
): Promise<Recording[]> {
  const files = filesSeenBy(store, principal);
  const reach = withinReach(principal);
  const { organizationId } = principal;
  const services = new Map<string, { readonly partId: string; readonly serviceName: string }>();
  for (const { locationId, partId, componentName: serviceName } of await store.results.origins(organizationId)) {
    if (!isWithin(principal, { id: partId, locationId })) continue;
    // what has no name cannot be asked for
    if (partId !== '' && serviceName !== '')
      services.set(JSON.stringify([partId, serviceName]), { partId, serviceName });
  }
  const recordings: (Recording & { readonly partName: string; readonly serviceName: string })[] = [];
  for (const service of services.values()) {
    signal.throwIfAborted();
    const interval = { start: null, end: null };
    const filter = recordedFrames({ organizationId, ...reach, ...service, interval });
    const { count } = await files.summarize(filter);
    const [oldest] = await files.page({ filter, order: 'ascending', after: null, limit: 1 });
    const newest = await files.page({ filter, order: 'descending', after: null, limit: looked });
    const [last] = newest;
    if (oldest === undefined || last === undefined) continue; // all are deleted
    const { partId, partName, robotName, locationId } = last;
    recordings.push({
      partId,
      partName,
      robotName,
      locationId,
      serviceName: service.serviceName,
      frameCount: BigInt(count),
      first: toTimestamp(oldest.timeRequested),
      last: toTimestamp(last.timeRequested),
      kinds: kindsOf(newest),
    });
  }
  return recordings.sort((a, b) => byText(a.partName, b.partName) || byText(a.serviceName, b.serviceName));
}

function kindsOf(frames: readonly BinaryRecord[]): ResultKind[] {
  const kinds: ResultKind[] = [];
  if (frames.some(({ boundingBoxes }) => boundingBoxes.length > 0)) kinds.push(ResultKind.DETECTIONS);
  if (frames.some(({ classifications }) => classifications.length > 0)) kinds.push(ResultKind.CLASSIFICATIONS);
  return kinds;
}
