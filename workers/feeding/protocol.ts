import type { FeedingDifference } from '../../src/models/fit/feeding/feeding-cost.ts';
import type { ServiceOfModel } from '../../src/models/fit/feeding/feeding-subject.ts';
import type { MachineFeeding } from '../../src/models/fit/feeding/machine-feedings.ts';
import type { MeasuredFeeding } from '../../src/models/fit/feeding/measure-feeding.ts';
import type { FoundRecipes } from '../../src/models/fit/feeding/search-recipes.ts';
import type { FitRequest } from '../../src/models/fit/face/fitting.ts';
import type { Backend } from '../../src/platform/ports/inference-runtime.ts';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';

/** The data that the page and the feeding worker exchange; all of it survives structured cloning. */

export interface FeedingTask {
  readonly source: ModelSource;
  /** where the model runs on the bench */
  readonly backend: Backend;
  /** how its vision service feeds and reads it now */
  readonly service: ServiceOfModel;
  /** names of its classes, where its file has none; null: numbers */
  readonly labels: readonly string[] | null;
  readonly pictures: readonly LabelledPicture[];
  /** somebody says that each picture of which nothing is recorded is of another scene or time */
  readonly areIndependent: boolean;
}

/** An encoded picture, and what is on it. */
export interface LabelledPicture {
  readonly id: string;
  /** name of its file */
  readonly name: string;
  /** pictures of one video or burst share it; '': a single one */
  readonly sequence: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly boxes: readonly LabelledBox[];
  /** boxes are pixels of the picture, as the model printed them in training, and how near numbers must come; absent: they are parts of it */
  readonly printed?: { readonly boxPx: number; readonly score: number };
}

export interface LabelledBox {
  readonly label: string;
  /** null: nobody said where it is */
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number] | null;
  /** what the model said of it; absent or null: a person named it */
  readonly score?: number | null;
  /** whether the object does not count although it is there: no detection of it is false */
  readonly isIgnored?: boolean;
}

export type FeedingPhase = 'reading' | 'searched' | 'measured';

/** A change of configuration or model by which the machine feeds the model otherwise. */
export interface FeedingCure extends Pick<MachineFeeding, 'kind' | 'title' | 'step'> {
  /** colours and values, which the vision service says */
  readonly fed: MachineFeeding['fed'];
  /** how the model is written anew; null: its file stays */
  readonly fit: Pick<FitRequest, 'family' | 'options' | 'feedingFound' | 'inputSize'> | null;
}

/** A way in which the machine can feed the model, and what it is worth. */
export interface MeasuredWay {
  readonly cure: FeedingCure;
  /** against the recipe */
  readonly loss: FeedingDifference;
  /** against the machine's own feeding; null: it is that */
  readonly gain: FeedingDifference | null;
}

export interface FoundFeeding {
  /** in words */
  readonly recipe: string;
  readonly verdict: FoundRecipes['verdict'];
  /** a sentence for each part of the recipe that may as well be another */
  readonly apart: readonly string[];
  /** the model takes frames of any size and places them by itself */
  readonly isPlaced: boolean;
  /** how many were searched or measured */
  readonly pictures: number;
  /** what the feedings were measured on */
  readonly measuredOn: MeasuredFeeding['measuredOn'];
  readonly dependence: MeasuredFeeding['dependence'];
  /** names of pictures that are left out, and why */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** labels on the pictures that the model does not know */
  readonly unknownLabels: readonly string[];
  /** the machine's own feeding first; null: nothing was measured */
  readonly ways: readonly MeasuredWay[] | null;
}
