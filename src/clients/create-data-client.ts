import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { DataService } from '../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../gen/app/datasync/v1/data_sync_pb.ts';
import { createChannelTransport } from '../rpc/channel-transport.ts';

/** The data service, a typed client a service. */
export interface DataClient {
  readonly data: Client<typeof DataService>;
  readonly sync: Client<typeof DataSyncService>;
  readonly datasets: Client<typeof DatasetService>;
  readonly pipelines: Client<typeof DataPipelinesService>;
  /** Ends the calls under way with Unavailable. */
  close(): void;
}

/**
 * The client of the browser's own data service. The worker starts with the first call, and again with the next one
 * after it died; calls that died with it reject with Unavailable.
 */
export function createDataClient(startWorker: () => Worker): DataClient {
  let running: { readonly transport: Transport; readonly end: () => void } | null = null;
  let closed = false;

  function start(): NonNullable<typeof running> {
    const worker = startWorker();
    const lost = new AbortController();
    const end = (): void => {
      if (running?.end === end) running = null;
      worker.terminate();
      lost.abort();
    };
    // The service reports its defects as errors of the worker's scope, after which it goes on; a script that did not
    // load has no file name.
    worker.addEventListener('error', (event) => {
      if (!event.filename) end();
    });
    if (closed) end();
    return { transport: createChannelTransport(worker, lost.signal), end };
  }

  const current = (): Transport => (running ??= start()).transport;
  const transport: Transport = {
    unary: (...call) => current().unary(...call),
    stream: (...call) => current().stream(...call),
  };
  return {
    data: createClient(DataService, transport),
    sync: createClient(DataSyncService, transport),
    datasets: createClient(DatasetService, transport),
    pipelines: createClient(DataPipelinesService, transport),
    close() {
      closed = true;
      running?.end();
    },
  };
}
