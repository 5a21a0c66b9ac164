import type { DataClient } from '../../../../workers/data-service/client.ts';
import type { Shortcut } from '../../kit/keys/shortcut-registry.svelte.ts';
import type { NamedFile } from '../../../ports/named-file.ts';
import type { DataHost } from './data-host.ts';
import type { DataPlace } from './data-place.ts';
import type { HostChoice } from './host-choice.svelte.ts';

/**
 * What every tab of the data area is given, as its one prop `context`. It is the same object for all tabs while
 * the data area is open; `place` is reactive.
 *
 * `data`, `sync`, `datasets` and `pipelines` are typed Connect clients of the data service, the one of this browser: call
 * them as any client would (`await context.data.binaryDataByFilter({…}, { signal })`). They reject with ConnectError.
 */
export interface DataContext
  extends Pick<DataClient, 'data' | 'sync' | 'datasets' | 'pipelines'>, Omit<DataHost, 'client' | 'droppedFiles'> {
  /** The files of a drop that can be read, folders walked; a note names the others. Begin before the event ends. */
  droppedFiles(transfer: DataTransfer): Promise<readonly NamedFile[]>;
  /** Hands a dataset's files to the import of datasets. Resolves to the other files. */
  takeAnnotations(files: readonly NamedFile[]): Promise<readonly NamedFile[]>;
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

/** The props of a tab's root component. */
export interface DataTabProps extends Record<string, unknown> {
  context: DataContext;
}
