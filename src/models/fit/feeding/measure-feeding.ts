import { pictureHash } from '../../../evidence/datasets/face/health.ts';
import { type Dependence, dependentPictures } from '../../../evidence/datasets/face/independence.ts';
import { measuredPictures, unitsOf } from '../../../evidence/evaluation/face/thresholds.ts';
import { toRgba8 } from '../../../machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import type { InferencePorts } from '../../../machine/vision/face/runs.ts';
import { feedingCost, type FeedingWorth } from './feeding-cost.ts';
import { fedModel, type FeedingSubject } from './feeding-subject.ts';
import type { ExpectedPicture } from './recipe-runs.ts';
import { searchRecipes, type FoundRecipes } from './search-recipes.ts';

/** A picture with what is expected on it, and what is recorded of the pictures that it depends on. */
export interface SequencedPicture extends ExpectedPicture {
  readonly name: string;
  /** see `recordedGroup`; '': nothing is recorded */
  readonly sequence: string;
}

/** The subject of a search and a measurement, and the means for them. */
export interface FeedingMeasurement {
  readonly subject: FeedingSubject;
  /** one or more; a frame may be decoded anew each time that it is asked for */
  readonly pictures: readonly SequencedPicture[];
  /** somebody says that each picture of which nothing is recorded is of another scene or time */
  readonly areIndependent: boolean;
  readonly open: (model: Uint8Array<ArrayBuffer>) => Promise<InferenceSession>;
  readonly ports: InferencePorts;
  readonly onProgress: (phase: 'searched' | 'measured', fraction: number) => void;
  readonly signal: AbortSignal;
}

export interface MeasuredFeeding {
  readonly found: FoundRecipes;
  /** the machine's own feeding first; null: the model is a classifier, or by no recipe sure of what is expected */
  readonly worth: readonly FeedingWorth[] | null;
  /** the model takes frames of any size and places them by itself, so that only colours and values were searched */
  readonly isPlaced: boolean;
  /** what the feedings were measured on: pictures, how many units of them are independent of each other, and whether the search took none of these units */
  readonly measuredOn: { readonly pictures: number; readonly units: number; readonly isApart: boolean };
  /** how it is known which pictures are independent */
  readonly dependence: Pick<Dependence, 'basis' | 'alikeCount'>;
}

/** How many pictures the search takes; what it finds is measured on the others, where these are enough. */
const mostSearched = 12;

/**
 * Searches for the recipe of a model's training, and measures what the machine's own feeding loses against it and what other ways win back.
 * @param measurement the model, pictures, and what is expected on them
 * @returns the recipe, and what each feeding of a detector is worth
 * @throws FitError, ModelError, InferenceError; the signal's reason when it aborts
 * @example
 * await measureFeeding({ subject: {}, pictures: [], open: () => Promise.reject(new Error('no model')) }); // throws: no model
 */
export async function measureFeeding(measurement: FeedingMeasurement): Promise<MeasuredFeeding> {
  const { subject, pictures, areIndependent, open, ports, onProgress, signal } = measurement;
  const { groups, basis, alikeCount } = dependentPictures(
    pictures.map((picture) => ofSet(picture, areIndependent)),
    areIndependent,
  );
  const dependence = { basis, alikeCount };
  const unitsAt = (places: readonly number[]) =>
    unitsOf(places.map((at) => ({ id: String(at), sequence: groups[at]! })));
  const { searched, measured, isApart } = measuredPictures(unitsAt([...pictures.keys()]), mostSearched);
  const measuredOnes = measured.map((at) => pictures[at]!);
  const units = unitsAt(measured);
  const measuredOn = { pictures: measured.length, units: units.count, isApart };
  const session = await open(subject.model);
  try {
    const model = fedModel(session, subject);
    const isPlaced = model.input.widthPx === null || model.input.heightPx === null;
    const found = await searchRecipes({
      model,
      pictures: searched.map((at) => inMemory(pictures[at]!)),
      colours: subject.colours(model.input.dtype),
      isPlaced,
      ports,
      onProgress: (fraction) => onProgress('searched', fraction),
      signal,
    });
    if (subject.kind === 'classifications' || found.verdict === 'unseen')
      return { found, worth: null, isPlaced, measuredOn, dependence };
    const { recipe } = found.alike[0]!;
    const worth = await feedingCost({
      model,
      recipe,
      feedings: subject.feedings(model, recipe, pictures[0]!.frame),
      pictures: measuredOnes.map(truthOf),
      labels: subject.labels,
      open,
      ports,
      service: subject.service,
      units,
      onProgress: (fraction) => onProgress('measured', fraction),
      signal,
    });
    return { found, worth, isPlaced, measuredOn, dependence };
  } finally {
    await session.release();
  }
}

/** A picture as the rule of independent units looks at it: only where that could tell something. */
function ofSet(picture: SequencedPicture, areIndependent: boolean) {
  const { name, sequence: recorded } = picture;
  return { recorded, name, hash: recorded !== '' || areIndependent ? null : pictureHash(toRgba8(picture.frame)) };
}

/** A search looks at each picture hundreds of times. */
const inMemory = ({ frame, expected, digits }: ExpectedPicture): ExpectedPicture => ({ frame, expected, digits });

const truthOf = (picture: ExpectedPicture) => ({
  get frame() {
    return picture.frame;
  },
  things: picture.expected,
  ...(picture.ignored && { ignored: picture.ignored }),
});
