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

export interface ServerHome {
  /** null: the server does not say, so the person has to */
  readonly organizationId: string | null;
  /** '' if unknown */
  readonly locationId: string;
}

/**
 * The organization and location of the key: from its token, otherwise from the data that it can read. No operation
 * says it directly, so it stays unknown for an empty server whose tokens do not say it. Rejects with ConnectError.
 */
export async function findHome(
  { data }: Pick<DataClient, 'data'>,
  authorization: string,
  signal: AbortSignal,
): Promise<ServerHome> {
  const request = { dataRequest: { limit: 1n }, includeBinary: false };
  const stored = await data.binaryDataByFilter(request, { signal });
  const capture = stored.data[0]?.metadata?.captureMetadata ?? (await anyReading(data, signal));
  const organizationId = organizationOfToken(authorization) ?? (capture?.organizationId || null);
  return { organizationId, locationId: capture?.organizationId === organizationId ? (capture?.locationId ?? '') : '' };
}

async function anyReading(data: DataClient['data'], signal: AbortSignal) {
  const { metadata } = await data.tabularDataByFilter({ dataRequest: { limit: 1n } }, { signal });
  return metadata[0];
}

function organizationOfToken(authorization: string): string | null {
  try {
    const payload = authorization.split('.')[1] ?? '';
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;
    const { organization_id: organizationId } = claims;
    return typeof organizationId === 'string' && organizationId !== '' ? organizationId : null;
  } catch {
    return null; // a token of another format
  }
}
