import type { UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { Principal } from '../access/principal.ts';
import { checkedTags } from '../annotations/require-tags.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { CaptureOrigin } from '../ports/stored-captures.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { packParameters } from '../wire/method-parameters.ts';

/** Everything that the metadata of an upload says about all of its captures. */
export type UploadOrigin = Omit<CaptureOrigin, 'timeRequested' | 'timeReceived' | 'timeSynced'>;

// Machines use this namespace for what they record for themselves.
const internalNamespace = 'rdk-internal:';

/**
 * Checks the metadata of an upload: its part is registered for the caller, and its datasets exist.
 * @throws ConnectError InvalidArgument, which tells clients to stop trying
 */
export async function uploadOrigin(
  { store }: Pick<DataServiceDependencies, 'store'>,
  principal: Principal,
  metadata: UploadMetadata,
): Promise<UploadOrigin> {
  const part = await store.access.getPart(metadata.partId);
  const reachable =
    part?.organizationId === principal.organizationId && (principal.locationId ?? part.locationId) === part.locationId;
  if (part === null || !reachable) {
    throw invalidArgument(
      `part_id is ${JSON.stringify(metadata.partId)}, which is no part of this organization; register it first.`,
    );
  }
  await requireDatasets(store, principal, metadata.datasetIds);
  const { organizationId, locationId, robotId, robotName, id: partId, name: partName } = part;
  const { componentType, componentName, methodName, methodParameters } = metadata;
  return {
    organizationId,
    locationId,
    robotId,
    robotName,
    partId,
    partName,
    componentType,
    componentName,
    methodName,
    methodParameters: packParameters(methodParameters),
    internal: componentType.startsWith(internalNamespace),
    tags: [...new Set([...checkedTags(metadata.tags), ...metadata.datasetIds.map(datasetTag)])],
  };
}

async function requireDatasets(
  store: DataServiceDependencies['store'],
  { organizationId }: Principal,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await store.datasets.get(organizationId, ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalidArgument(`dataset_ids names ${JSON.stringify(unknown)}, which is no dataset of this organization.`);
}
