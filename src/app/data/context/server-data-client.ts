import { createClient, type Transport } from '@connectrpc/connect';
import { DataService } from '../../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataClient } from '../../../../workers/data-service/client.ts';

/** A client of a server's data service. There is nothing to start and nothing to close. */
export function serverDataClient(transport: Transport): DataClient {
  return {
    transport,
    data: createClient(DataService, transport),
    sync: createClient(DataSyncService, transport),
    datasets: createClient(DatasetService, transport),
    pipelines: createClient(DataPipelinesService, transport),
    start: () => undefined,
    close: () => undefined,
  };
}

/** What the token of a key says of the key; nobody needs to be asked. */
interface KeyClaims {
  /** null: the server does not say */
  readonly organizationId: string | null;
  /** What the key may do; null: the server does not say. */
  readonly may: KeyRights | null;
}

/** The role of a key and its reach. */
export interface KeyRights {
  readonly role: string;
  /** '': the whole organization */
  readonly locationId: string;
  /** '': all parts */
  readonly partId: string;
}

export interface ServerHome extends KeyClaims {
  /** '' if unknown */
  readonly locationId: string;
}

/**
 * The organization, role and location of the key: from its token, otherwise the places from the data that it can read. No operation
 * says them directly, so they stay unknown for an empty server whose tokens do not say them. Rejects with ConnectError.
 */
export async function findHome(
  { data }: Pick<DataClient, 'data'>,
  authorization: string,
  signal: AbortSignal,
): Promise<ServerHome> {
  const request = { dataRequest: { limit: 1n }, includeBinary: false };
  const stored = await data.binaryDataByFilter(request, { signal });
  const capture = stored.data[0]?.metadata?.captureMetadata ?? (await anyReading(data, signal));
  const claims = claimsOfToken(authorization);
  const organizationId = claims.organizationId ?? (capture?.organizationId || null);
  const seen = capture?.organizationId === organizationId ? (capture?.locationId ?? '') : '';
  return { organizationId, may: claims.may, locationId: claims.may?.locationId || seen };
}

async function anyReading(data: DataClient['data'], signal: AbortSignal) {
  const { metadata } = await data.tabularDataByFilter({ dataRequest: { limit: 1n } }, { signal });
  return metadata[0];
}

function claimsOfToken(authorization: string): KeyClaims {
  try {
    const payload = authorization.split('.')[1] ?? '';
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;
    const textOf = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '');
    const role = textOf('iss') === 'sightglass' ? textOf('role') : ''; // another service means other roles
    return {
      organizationId: textOf('organization_id') || null,
      may: role === '' ? null : { role, locationId: textOf('location_id'), partId: textOf('part_id') },
    };
  } catch {
    return { organizationId: null, may: null }; // a token of another format
  }
}
