import { Code, ConnectError, createClient, type Client, type Transport } from '@connectrpc/connect';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { waitFor } from '../../src/base/schedule/wait-for.ts';
import { createChannelTransport } from './channel/channel-transport.ts';
import { whenWorkerEnds } from '../boundary/worker-life.ts';
import { CrashRow } from '../boundary/crash-row.ts';

/** The data service: one typed client for each of its services. */
export interface DataClient {
  readonly data: Client<typeof DataService>;
  readonly sync: Client<typeof DataSyncService>;
  readonly datasets: Client<typeof DatasetService>;
  readonly pipelines: Client<typeof DataPipelinesService>;
  /** for clients of other services, and for streams */
  readonly transport: Transport;
  /** Starts the service before the first call, so that its scheduled work runs from now on. */
  start(): void;
  /** Rejects pending calls with Unavailable and closes the service. */
  close(): void;
}

export interface DataClientOptions {
  /** URL of the page's folder: the addresses of files begin with it. */
  readonly baseUrl?: string;
  /** Called before each upload is sent. */
  readonly onUpload?: () => void;
}

/**
 * The client of the browser's own data service. The worker starts with the first call. When it dies, pending calls
 * reject with Unavailable and the next call starts it again, after a pause if it keeps dying.
 */
export function createDataClient(startWorker: () => Worker, options: DataClientOptions = {}): DataClient {
  const { baseUrl = new URL('.', document.baseURI).href, onUpload = () => undefined } = options;
  const crashes = new CrashRow();
  let running: { readonly transport: Promise<Transport>; readonly end: (error: ConnectError) => void } | null = null;
  let closed = false;

  function start(): NonNullable<typeof running> {
    const lost = new AbortController();
    let worker: Worker | undefined;
    const end = (error: ConnectError): void => {
      if (running === started) running = null;
      worker?.terminate();
      lost.abort(error);
    };
    const open = async (): Promise<Transport> => {
      if (crashes.pauseMs > 0) await waitFor(crashes.pauseMs);
      if (!lost.signal.aborted) {
        worker = startWorker();
        crashes.started(performance.now());
        void whenWorkerEnds(worker).then((words) => {
          if (lost.signal.aborted) return;
          crashes.crashed(performance.now());
          end(stopped(words));
        });
      }
      return createChannelTransport(worker ?? unreachable, lost.signal, baseUrl);
    };
    const started = { transport: open(), end };
    return started;
  }

  async function current(): Promise<Transport> {
    if (closed) throw closedError();
    return (running ??= start()).transport;
  }
  const transport: Transport = {
    async unary(method, ...call) {
      if (isUpload(method)) onUpload();
      return (await current()).unary(method, ...call);
    },
    async stream(method, ...call) {
      if (isUpload(method)) onUpload();
      return (await current()).stream(method, ...call);
    },
  };
  return {
    transport,
    data: createClient(DataService, transport),
    sync: createClient(DataSyncService, transport),
    datasets: createClient(DatasetService, transport),
    pipelines: createClient(DataPipelinesService, transport),
    start: () => void current().catch(() => undefined), // a failure is ignored: the next call rejects with it
    close() {
      closed = true;
      running?.end(closedError());
    },
  };
}

/** Used if the service was closed before its worker started: no call is ever sent. */
const unreachable = { postMessage: () => undefined };

const isUpload = ({ parent }: { readonly parent: { readonly typeName: string } }): boolean =>
  parent.typeName === DataSyncService.typeName;

const stopped = (words: string): ConnectError =>
  new ConnectError(
    `The data service of this browser stopped: ${words}. Its next call starts it again; what was answered is kept.`,
    Code.Unavailable,
  );

const closedError = (): ConnectError => new ConnectError('The data service was closed.', Code.Unavailable);
