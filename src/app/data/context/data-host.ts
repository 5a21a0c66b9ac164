import type { DataClient } from '../../../../workers/data-service/client.ts';
import type { ReadPointCloud } from '../../../../workers/point-cloud/client.ts';
import type { ThumbnailClient } from '../../../../workers/thumbnails/client.ts';
import type { DroppedFiles } from '../../../ports/named-file.ts';
import type { ServerTarget } from '../../../outbox/outbox-target.ts';
import type { RunModel } from '../../captures/run-model.ts';
import type { CaptureAccess } from '../../captures/kept-captures.ts';
import type { DatasetFiles } from './dataset-files.ts';

/** What the data area needs of the page that hosts it. */
export interface DataHost {
  readonly client: DataClient;
  /** The server whose data it is; absent for the data of this browser. */
  readonly server?: ServerTarget;
  /** The organization, location and part that belong to this browser; uploads from here go to `partId`. */
  readonly home: { readonly organizationId: string; readonly locationId: string; readonly partId: string };
  readonly storage: StoragePort;
  /** Draws small pictures of stored ones. */
  readonly thumbnails: ThumbnailClient;
  readonly readPointCloud: ReadPointCloud;
  /** Every file of a drop, folders walked. Begin before the event ends. */
  droppedFiles(transfer: DataTransfer): Promise<DroppedFiles>;
  /** Runs what the bench is set to run on an image. */
  readonly runModel: RunModel;
  /** What the bench captured, and the outbox that sends it. */
  readonly captures: CaptureAccess;
  /** Reads and writes datasets as files. */
  readonly openDatasetFiles: () => Promise<DatasetFiles>;
  /**
   * Why `uri` and signed URLs of this browser's data open nothing here, in words for a person; null where they work. The
   * URLs are given out all the same.
   */
  linkTrouble(): Promise<string | null>;
}

export interface StoragePort {
  /** The browser's estimate for the whole app, in bytes; null where it gives none. */
  measure(): Promise<{ readonly usedBytes: number; readonly quotaBytes: number; readonly persistent: boolean } | null>;
  /** Asks the browser never to clear what is kept by itself; whether it agreed. */
  askToPersist(): Promise<boolean>;
}
