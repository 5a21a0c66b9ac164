import type { PipelineEdit } from '../../../config/edit-pipeline.ts';

/** The configuration as it stands: what undo brings back. */
export interface Tuning extends PipelineEdit {
  /** As it came in: what the exports are compared with. While the text cannot be read, as what runs in its stead came in. */
  readonly importedText: string;
  /** the text that runs in the stead of one that cannot be read; null = it can be */
  readonly runs: string | null;
  /** name of the file of a text that came in and could not be read yet, '' where it had none; null = the text came in whole */
  readonly unreadFile: string | null;
  /** what is tuned in it: of steps that start over from another text */
  readonly choice?: Choice | undefined;
}

/** The service and the camera that a person chose; null and undefined = none, so that the text's own decide. */
export interface Choice {
  readonly vision: string | null;
  readonly camera: string | null | undefined;
}
