import type { DataClient } from '../../../workers/data-service/create-data-client.ts';
import type { ReadPointCloud } from '../../../workers/point-cloud/point-cloud-client.ts';
import type { ThumbnailClient } from '../../../workers/thumbnails/thumbnail-client.ts';
import type { ServerTarget } from '../../outbox/outbox-target.ts';
import type { RunModel } from '../annotate/run-model.ts';
import type { CaptureDoor } from '../capture/capture-door.svelte.ts';
import type { Shortcut } from '../shortcuts/shortcut-registry.svelte.ts';
import type { DatasetFiles } from './tabs/datasets/dataset-files.ts';
import type { DataTab } from './data-tabs.ts';
import type { HostChoice } from './shared/host/host-choice.svelte.ts';

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
  droppedFiles(transfer: DataTransfer): Promise<readonly { readonly file: File; readonly path: string }[]>;
  /** Runs what the bench is set to run on an image. */
  readonly runModel: RunModel;
  /** What the bench captured, and the outbox that sends it. */
  readonly captures: CaptureDoor;
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

/**
 * What every tab of the data area is given, as its one prop `context`. It is the same object for all tabs while
 * the data area is open; `place` is reactive.
 *
 * `data`, `sync`, `datasets` and `pipelines` are typed Connect clients of the data service, the one of this browser: call
 * them as any client would (`await context.data.binaryDataByFilter({…}, { signal })`). They reject with ConnectError.
 */
export interface DataContext
  extends Pick<DataClient, 'data' | 'sync' | 'datasets' | 'pipelines'>, Omit<DataHost, 'client'> {
  /** Which data service is shown: the one of this browser, or of a server. */
  readonly hosts: HostChoice;
  readonly place: DataPlace;
  /** Says one sentence to screen readers, politely: "12 images deleted." */
  announce(sentence: string): void;
  /**
   * Shows that something failed, above the tab, until it is dismissed or another tab opened. `what` is the sentence of
   * the tab ("The images could not be listed."); the error's own words and a remedy follow it. Cancelled calls are
   * nobody's failure and are not shown. For errors that belong to one field or row, use `errorWords` and ErrorNote there.
   */
  report(error: unknown, what: string): void;
  /** Adds keys that work in the data area only, and are listed under "Data" in the help; returns what takes them out. */
  addShortcuts(...shortcuts: readonly Omit<Shortcut, 'area' | 'group'>[]): () => void;
}

/** Where one is in the data area. Reactive: read it in markup, `$derived` and `$effect`. */
export interface DataPlace {
  readonly tab: DataTab;
  /** What the open tab itself keeps in the address behind its name: '', "/an-id", "?tags=a"; the tab writes and parses it. */
  readonly rest: string;
  /** The address of a tab, for `<a href>`; `rest` as above. */
  href(tab: DataTab, rest?: string): string;
  /** Goes there, with an entry in the history; `replace`: without one, as while a filter is typed. */
  go(tab: DataTab, rest?: string, options?: { readonly replace?: boolean }): void;
}

/** The props of a tab's root component. */
export interface DataTabProps extends Record<string, unknown> {
  context: DataContext;
}
