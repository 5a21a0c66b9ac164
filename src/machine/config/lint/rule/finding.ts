import type { SplitLabels } from '../../../vision/face/results.ts';
import type { ModuleFinding } from '../../../../models/fit/modules/module-finding.ts';
import type { TensorInfo } from '../../../vision/face/feeding.ts';
import type { SeenPictures } from '../../edit/capture-cost.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import type { MeantModel } from '../../describes-model.ts';
import type { TextEdit } from '../../json/edit-json.ts';
import type { JsonPath } from '../../json/json-path.ts';

/** error: the machine refuses it or certainly does the wrong thing; warning: probably not what is meant; info: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

export interface Finding {
  readonly path: JsonPath;
  /** name of the component or service that it is about; '' = none, or one without a name */
  readonly resource: string;
  /** the path as a JSON Pointer (RFC 6901) */
  readonly pointer: string;
  /** start of the characters to underline in the text */
  readonly offset: number;
  readonly length: number;
  readonly severity: Severity;
  /** name of the rule, which is also the name of its file */
  readonly code: string;
  readonly message: string;
  readonly fix?: Fix;
}

export interface Fix {
  readonly title: string;
  /** on the linted text, together; applying them makes the finding disappear */
  readonly edits: readonly TextEdit[];
}

/** What the module behind an ML model service makes of it: asked of every entry, and again after each edit. */
export type ModelJudge = (modelService: ConfigEntry) => readonly ModuleFinding[];

/** What the live bench knows and the text does not say: by vision service name. All of it is optional. */
export type LintFacts = Readonly<Record<string, ServiceFacts>>;

export interface ServiceFacts {
  /** input tensors of the model behind the service, in its own order */
  readonly inputs?: readonly TensorInfo[];
  readonly outputs?: readonly TensorInfo[];
  /** content of the label file that the machine reads; null or missing = not known */
  readonly labels?: readonly string[] | null;
  /** how the machine takes that file's one line apart; null or missing = it has several lines, or is not at hand */
  readonly labelsSplit?: SplitLabels | null;
  /** names that the model file carries, which the machine does not read; null = none */
  readonly offeredLabels?: readonly string[] | null;
  readonly modelFileName?: string;
  /** digest of that file's bytes, in hex; '' = not known */
  readonly modelSha256?: string;
  /** facts of the model behind the `model_path` that is named here; they say nothing of any other path */
  readonly modelMeant?: MeantModel & { readonly path: string };
  /** labels that detections or classifications of the session carried */
  readonly labelsSeen?: readonly string[];
  /** the box order of the model's metadata, which the machine does not read; null = it has none */
  readonly modelBoxOrder?: readonly number[] | null;
  /** on the bench, while this service is tuned there */
  readonly pictures?: SeenPictures | null;
}
