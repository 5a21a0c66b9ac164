import type { PipelineEdit, ThresholdEvidence } from '../../../machine/config/face/edits.ts';
import type { LabelContents } from './label-files.svelte.ts';

/** The state of the configuration that undo restores. */
export interface Tuning extends PipelineEdit {
  /**
   * The imported text, with which exports are compared. While the text cannot be read, that of the configuration
   * that runs instead.
   */
  readonly importedText: string;
  /** the text that runs while the present one cannot be read; null: the present one runs */
  readonly runs: string | null;
  /** name of the imported file that could not be read yet, '' without a name; null: the text was readable */
  readonly unreadFile: string | null;
  /**
   * what thresholds of the text stand on, kept beside it: the machine ignores what it does not know, and so would not
   * say that it is out of date
   */
  readonly evidence?: readonly ThresholdEvidence[] | undefined;
  /** the selected service and camera, for steps that start over from another text */
  readonly choice?: Choice | undefined;
  /** contents of label files, for steps that change them */
  readonly labelFiles?: LabelContents | undefined;
}

/** The service and the camera that a person chose; null and undefined: none, so that the text decides. */
export interface Choice {
  readonly vision: string | null;
  readonly camera: string | null | undefined;
}
