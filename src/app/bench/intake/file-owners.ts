import type { DroppedFiles } from '../../../platform/ports/named-file.ts';
import type { ListAnswer } from '../models/take-label-list.ts';
import type { RefusedVideo } from '../sources/sources-state.svelte.ts';
import type { LeftOut, SortedFiles } from './sort-files.ts';

/**
 * An owner's answer to a file: null if it took the file, otherwise the reason: the end of "Left out: machine.json,
 * …".
 */
export type Refusal = string | null;

/** Which part takes which files. */
export interface FileOwners {
  /**
   * All files of a drop or a paste, those in folders included. It must be called within the event, since a drop's
   * items are gone afterwards.
   */
  readonly droppedFiles: (transfer: DataTransfer) => Promise<DroppedFiles>;
  /** Takes pictures and videos. Resolves to the videos that could not be shown. */
  readonly addPictures: (
    stills: SortedFiles['stills'],
    videos: SortedFiles['videos'],
  ) => Promise<readonly RefusedVideo[]>;
  /** Says why a file that is called a picture is none; null: it is one. */
  readonly whyNoPicture: (file: Blob) => Promise<Refusal>;
  /** Loads a model, and itself shows the reason if the model does not run; '': the load was given up. */
  readonly loadModel: (file: File, beside: readonly File[]) => Promise<Refusal>;
  readonly openConfiguration: (file: File) => Promise<Refusal>;
  /** @param cameWithModel a model came with it, and runs by now */
  readonly takeLabels: (file: File, cameWithModel: boolean) => Promise<ListAnswer>;
  readonly openBench: (file: File) => Promise<Refusal>;
}

/** What became of the files of one drop, paste or choice. */
export interface Receipt {
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
}

export interface Taken {
  readonly kind: 'image' | 'video' | 'model' | 'data file' | 'configuration' | 'label list' | 'saved bench';
  readonly names: readonly string[];
}
