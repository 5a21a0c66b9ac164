import type { UploadMetadata } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import type { Principal } from '../ports/principal.ts';
import { requirePart } from '../access/require-part.ts';
import { newTags } from '../annotation-rules/require-tags.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { CaptureOrigin } from '../ports/stored-captures.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import { requireBinaryDataset } from '../datasets/require-dataset.ts';
import { boundedName, invalidArgument } from '../wire/invalid-argument.ts';
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
  dependencies: Pick<DataServiceDependencies, 'store'>,
  principal: Principal,
  metadata: UploadMetadata,
): Promise<UploadOrigin> {
  const part = await requirePart(dependencies, principal, metadata.partId);
  await requireDatasets(dependencies.store, principal, metadata.datasetIds);
  const { organizationId, locationId, robotId, robotName, id: partId, name: partName } = part;
  const { componentType, componentName, methodName, methodParameters } = metadata;
  return {
    organizationId,
    locationId,
    robotId,
    robotName,
    partId,
    partName,
    componentType: boundedName(componentType, 'component_type'),
    componentName: boundedName(componentName, 'component_name'),
    methodName: boundedName(methodName, 'method_name'),
    methodParameters: packParameters(methodParameters),
    internal: componentType.startsWith(internalNamespace),
    tags: [...new Set([...newTags(metadata.tags), ...metadata.datasetIds.map(datasetTag)])],
  };
}

async function requireDatasets(
  store: DataServiceDependencies['store'],
  { organizationId }: Principal,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await store.datasets.get(organizationId, ids);
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalidArgument(`dataset_ids names ${JSON.stringify(unknown)}, which is not a dataset of this organization.`);
  found.forEach(requireBinaryDataset);
}
