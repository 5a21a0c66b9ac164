import type { DataRequest, Filter, TagsFilter } from '../../gen/app/data/v1/data_pb.ts';
import { Order as WireOrder, TagsFilterType } from '../../gen/app/data/v1/data_pb.ts';
import type { Principal } from '../ports/principal.ts';
import { permissionDenied, withinReach, type AskedPlace } from './require-access.ts';
import {
  everythingOf,
  type BinaryFilter,
  type CaptureFilter,
  type Order,
  type TabularFilter,
} from '../ports/capture-filter.ts';
import { fromInterval } from '../wire/timestamps.ts';

/** Everything that a caller may see, of the place that is asked for. @throws ConnectError PermissionDenied */
export const everything = (principal: Principal, includeInternal: boolean, asked?: AskedPlace): CaptureFilter => ({
  ...everythingOf(principal.organizationId),
  ...withinReach(principal, asked),
  includeInternal,
});

/** A filter of binary data, narrowed to what its caller may see. @throws ConnectError PermissionDenied, InvalidArgument */
export const binaryFilter = (
  principal: Principal,
  filter: Filter | undefined,
  includeInternal: boolean,
): BinaryFilter => ({
  ...captureFilter(principal, filter, includeInternal),
  mimeTypes: filter?.mimeType ?? [],
  boxLabels: filter?.bboxLabels ?? [],
  datasetId: filter?.datasetId ?? '',
});

/**
 * A filter of tabular data; null: it asks for something that no reading has (a media type, a box or a dataset).
 * @throws ConnectError PermissionDenied, InvalidArgument
 */
export function tabularFilter(
  principal: Principal,
  filter: Filter | undefined,
  includeInternal: boolean,
): TabularFilter | null {
  const ofFiles =
    filter !== undefined && (filter.mimeType.length > 0 || filter.bboxLabels.length > 0 || filter.datasetId !== '');
  const capture = captureFilter(principal, filter, includeInternal);
  return ofFiles ? null : { ...capture, additionalParameters: null };
}

/** Unspecified is descending: the newest first. */
export const readOrder = ({ sortOrder }: Pick<DataRequest, 'sortOrder'>): Order =>
  sortOrder === WireOrder.ASCENDING ? 'ascending' : 'descending';

/** The constraint of a tags filter; an empty one, which clients always send, constrains nothing. */
export function readTagsFilter(filter: TagsFilter | undefined): Pick<CaptureFilter, 'tags' | 'tagged'> {
  switch (filter?.type) {
    case TagsFilterType.TAGGED:
      return { tags: filter.tags, tagged: 'tagged' };
    case TagsFilterType.UNTAGGED:
      return { tags: filter.tags, tagged: 'untagged' };
    default:
      return { tags: filter?.tags ?? [], tagged: 'either' };
  }
}

function captureFilter(principal: Principal, filter: Filter | undefined, includeInternal: boolean): CaptureFilter {
  if (filter === undefined) return everything(principal, includeInternal);
  const foreign = filter.organizationIds.find((id) => id !== principal.organizationId);
  if (foreign !== undefined)
    throw permissionDenied(`This key is not of organization ${foreign}; use a key of that organization.`);
  const { robotId, robotName, partName, componentType, componentName } = filter;
  return {
    ...everything(principal, includeInternal, filter),
    robotId,
    robotName,
    partName,
    componentType,
    componentName,
    methodName: filter.method,
    interval: fromInterval(filter.interval),
    ...readTagsFilter(filter.tagsFilter),
  };
}
