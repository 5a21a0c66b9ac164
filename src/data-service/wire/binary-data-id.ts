import type { BinaryID } from '../../gen/app/data/v1/data_pb.ts';
import { invalidArgument, requireText } from './invalid-argument.ts';

/** `<organization id>/<location id>/<file id>` */
export const binaryDataId = (organizationId: string, locationId: string, fileId: string): string =>
  `${organizationId}/${locationId}/${fileId}`;

/** Whose data the id names: its first part. */
export const organizationOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));

export const locationOf = (id: string): string => id.split('/')[1] ?? '';

/** The ids of a request, in order: those of the current field, then the legacy ones, joined. */
export function binaryDataIds(request: {
  readonly binaryDataIds: readonly string[];
  readonly binaryIds: readonly BinaryID[];
}): readonly string[] {
  const ids = [
    ...request.binaryDataIds.map((id, index) => requireText(id, `binary_data_ids[${index}]`)),
    ...request.binaryIds.map((id, index) => joined(id, `binary_ids[${index}]`)),
  ];
  if (ids.length === 0) throw invalidArgument('binary_data_ids is empty; give at least one id.');
  if (ids.length > maxIds)
    throw invalidArgument(`binary_data_ids has ${ids.length} ids; give at most ${maxIds} a call.`);
  return ids;
}

// How many ids one transaction changes.
const maxIds = 10_000;

/** The id of a request about one file. */
export function oneBinaryDataId(request: {
  readonly binaryDataId: string;
  readonly binaryId?: BinaryID | undefined;
}): string {
  if (request.binaryDataId !== '') return request.binaryDataId;
  if (request.binaryId === undefined) throw invalidArgument('binary_data_id is empty; it must be given.');
  return joined(request.binaryId, 'binary_id');
}

const joined = ({ organizationId, locationId, fileId }: BinaryID, field: string): string =>
  binaryDataId(
    requireText(organizationId, `${field}.organization_id`),
    requireText(locationId, `${field}.location_id`),
    requireText(fileId, `${field}.file_id`),
  );
