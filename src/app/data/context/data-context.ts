import type { DescMethod } from '@bufbuild/protobuf';
import type { DataClient } from '../../../../workers/data-service/client.ts';
import type { Shortcut } from '../../kit/keys/shortcut-registry.svelte.ts';
import type { NamedFile } from '../../../platform/ports/named-file.ts';
import type { DataHost } from './data-host.ts';
import type { DataRoute } from './data-route.ts';
import type { HostChoice } from './host-choice.svelte.ts';

/**
 * The one prop of every tab of the data area. All tabs get the same object while the data area is open; `place` is
 * reactive.
 *
 * `data`, `sync`, `datasets` and `pipelines` are typed Connect clients of the shown data service: call them as any
 * client would (`await context.data.binaryDataByFilter({…}, { signal })`). They reject with ConnectError. `transport` is for
 * clients of what one tab alone asks.
 */
export interface DataContext
  extends
    Pick<DataClient, 'data' | 'sync' | 'datasets' | 'pipelines' | 'transport'>,
    Omit<DataHost, 'client' | 'droppedFiles' | 'refusal'> {
  /**
   * The readable files of a drop, including those in folders; a note names the others. Call it before the event ends.
   */
  droppedFiles(transfer: DataTransfer): Promise<readonly NamedFile[]>;
  /** Passes a dataset's files to the dataset import. Resolves to the other files. */
  takeAnnotations(files: readonly NamedFile[]): Promise<readonly NamedFile[]>;
  /**
   * Why the service would refuse a call of whoever is logged in, or of the key, in words: for the button that would make it; '': it
   * would not, or only the service knows.
   */
  refusal(method: DescMethod): string;
  /** Chooses which data service is shown: that of this browser, or of a server. */
  readonly hosts: HostChoice;
  readonly place: DataRoute;
  /** Announces one sentence to screen readers, politely: "12 images deleted." */
  announce(sentence: string): void;
  /**
   * Shows a failure above the tab, until it is dismissed or another tab is opened. `what` is the tab's sentence ("The
   * images could not be listed."); the error's own words and a remedy follow. Cancelled calls are not shown. For
   * errors that belong to one field or row, use `errorWords` and ErrorNote there.
   */
  report(error: unknown, what: string): void;
  /**
   * Adds shortcuts that work in the data area only and are listed under "Data" in the help; returns a function that
   * removes them.
   */
  addShortcuts(...shortcuts: readonly Omit<Shortcut, 'area' | 'group'>[]): () => void;
}

/** The props of a tab's root component. */
export interface DataTabProps extends Record<string, unknown> {
  context: DataContext;
}
