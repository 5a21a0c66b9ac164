import type { DataClient } from '../../../../workers/data-service/client.ts';
import type { ReplayClient } from '../../../../workers/replay/client.ts';
import type { WriteRows } from '../../../../workers/row-files/client.ts';
import type { ReadPointCloud } from '../../../../workers/point-cloud/client.ts';
import type { ThumbnailClient } from '../../../../workers/thumbnails/client.ts';
import type { ChangeRule } from '../../../platform/ports/change-rule.ts';
import type { DroppedFiles } from '../../../platform/ports/named-file.ts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Membership } from '../../../gen/sightglass/people/v1/people_pb.ts';
import type { ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import type { RunModel } from '../../captures/run-model.ts';
import type { SampleSet } from '../../evaluate/ports/sample-set.ts';
import type { BenchServices } from '../../captures/bench-services.ts';
import type { CaptureAccess } from '../../captures/kept-captures.ts';
import type { DatasetFiles } from './dataset-files.ts';

/** What the data area needs of the page that hosts it. */
export interface DataHost {
  readonly client: DataClient;
  /** The server whose data is shown; absent for this browser's data. */
  readonly server?: ServerTarget;
  /** The membership whose session shows the server's data; absent where a key does, and for this browser's data. */
  readonly who?: Membership;
  /** Why the service would refuse a call of that membership, or of the key, in words; '': it would not. Absent where nobody knows. */
  readonly refusal?: (method: DescMethod) => string;
  /** This browser's organization, location and part; uploads from here go to `partId`. */
  readonly home: { readonly organizationId: string; readonly locationId: string; readonly partId: string };
  readonly storage: StoragePort;
  /** Draws thumbnails of stored pictures. */
  readonly thumbnails: ThumbnailClient;
  readonly readPointCloud: ReadPointCloud;
  /** Every file of a drop, including those in folders. Call it before the event ends. */
  droppedFiles(transfer: DataTransfer): Promise<DroppedFiles>;
  /** Runs the bench's current configuration on an image. */
  readonly runModel: RunModel;
  /** The vision services of the bench, for whose thresholds stored captures speak. */
  readonly benchServices: BenchServices;
  /** Filters stored captures again. */
  readonly openReplay: () => Promise<ReplayClient>;
  /** The bench's captures, and the outbox that sends them. */
  readonly captures: CaptureAccess;
  /** Writes rows of readings and queries into a file. */
  readonly writeRows: WriteRows;
  /** Reads and writes datasets as files. */
  readonly openDatasetFiles: () => Promise<DatasetFiles>;
  /** How long this browser's data service keeps who changed what. */
  openChangeRule(): Promise<ChangeRule>;
  /**
   * Why `uri` and signed URLs of this browser's data cannot be opened here, in words for a person; null if they work.
   */
  linkTrouble(): Promise<string | null>;
  /** Absent for a server's data: samples stay in this browser. */
  readonly samples?: DataSamples;
}

/** The sample photographs of what the bench's model finds, and what is made of them to try the tabs with. */
export interface DataSamples extends SampleSet {
  /** Stores the photographs as a sequence, unless it is there. Resolves to its id. */
  addSequence(): Promise<string>;
  /** Stores what the bench's model sees on the photographs, also below the thresholds, as captures of its vision service; once more with each call. */
  addRecording(): Promise<void>;
  isRecorded(): Promise<boolean>;
  /** Deletes all that was added, and nothing else. */
  remove(): Promise<void>;
}

export interface StoragePort {
  /** The browser's estimate for the whole app, in bytes; null if it gives none. */
  measure(): Promise<{ readonly usedBytes: number; readonly quotaBytes: number; readonly persistent: boolean } | null>;
  /** Asks the browser not to clear the app's data by itself; returns whether it agreed. */
  askToPersist(): Promise<boolean>;
}
