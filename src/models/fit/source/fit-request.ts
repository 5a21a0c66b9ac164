import type { Preprocessing } from '../structure/family.ts';
import type { InputSize } from '../structure/input-size.ts';
import type { OptionValues } from '../structure/options.ts';
import type { ChosenFeeding } from '../solver/rank-feedings.ts';

/** The request for a fit: what is known of a model and wanted of it; all may be left out. */
export interface FitRequest {
  /** a family's id, where recognition is not to decide */
  readonly family?: string | null;
  /** values of the family's options; the usual ones stand for the rest */
  readonly options?: OptionValues;
  /** how the model was trained to be fed, where its family's usual way is wrong */
  readonly preprocessing?: Partial<Preprocessing>;
  /** how labelled pictures say that it is fed, where nothing else tells */
  readonly feedingFound?: ChosenFeeding | null;
  /** class names; default: those in the model's metadata */
  readonly labels?: readonly string[] | null;
  /** for a model whose input is of any size */
  readonly inputSize?: InputSize | null;
  /** size of the camera's frames; a TensorFlow Lite file, whose input has one size, keeps the proportions of these alone */
  readonly frameSize?: InputSize | null;
  /** weights that lie beside the model, by file name */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** written into the metadata, in hexadecimal */
  readonly sourceSha256?: string;
  /** names that the configuration has for the files */
  readonly modelFile?: string;
  readonly labelFile?: string;
}
