import type { FrameDifference, FrameSize } from '../../machine/vision/face/frames.ts';

/** What came of comparing a camera's steps: 'not-compared' says nothing of them. */
export type StepsVerdict = 'same' | 'differs' | 'not-compared';

export interface StepsJudged {
  readonly cameraName: string;
  readonly verdict: StepsVerdict;
  /** one sentence */
  readonly words: string;
  /** why pictures of one size tell nothing; absent: they do, or something else is missing */
  readonly doubt?: StepsDoubt;
}

/** `moves`: the frames are of different moments; `draws`: what is drawn is of another picture than the one that came. */
export type StepsDoubt = 'moves' | 'draws';

/** A transform camera, the one that its chain begins with, and whether a step on the way draws what a service finds. */
export interface SteppedCamera {
  readonly name: string;
  readonly sourceName: string;
  readonly draws: boolean;
}

/** A source frame behind the steps here, beside what the machine's camera gave. */
export interface SteppedPictures {
  readonly hereSize: FrameSize;
  readonly thereSize: FrameSize;
  /** null: the sizes differ */
  readonly difference: Pick<FrameDifference, 'blockLevels'> | null;
  /** by how much the source's frame before and its frame after are apart behind the steps, over blocks; 0: the same bytes; null: by their size */
  readonly stirLevels: number | null;
  /** both came as PNG: what differs then is no encoder's */
  readonly isLossless: boolean;
}

/** Measured at the machine's JPEG quality: 3.6 levels over a block if the steps are equal, 9.5 if they differ by one pixel. */
export const encodingLevels = 5;
/** The noise of a sensor in front of a scene that stands still; what moves is above it. */
const stillLevels = 2;

/**
 * Whether a transform camera there does what its steps do here. Pictures of two sizes are of other steps whatever moves; otherwise the
 * source has to stand still between its two frames. What is drawn tells nothing where the frame came encoded: there the service saw it
 * before, and says other boxes and scores of it.
 */
export function judgeSteps(
  { name: cameraName, sourceName, draws }: SteppedCamera,
  { hereSize, thereSize, difference, stirLevels, isLossless }: SteppedPictures,
): StepsJudged {
  const other = (by: string): StepsJudged => ({
    cameraName,
    verdict: 'differs',
    words: `Camera “${cameraName}” gives another picture there: ${by}. Its steps there are not those of this configuration.`,
  });
  if (!difference) return other(`${sizeText(thereSize)}, and ${sizeText(hereSize)} by the steps here`);
  if (stirLevels === null || stirLevels > stillLevels)
    return doubted(
      cameraName,
      'moves',
      `${sourceName} moves, so that its frame and the one behind the steps show different moments`,
    );
  const isOther = difference.blockLevels > (isLossless ? 0 : encodingLevels) + stirLevels;
  if (isOther && draws && !isLossless)
    return doubted(
      cameraName,
      'draws',
      `they draw what a service finds, which there saw the frame of ${sourceName} before it was encoded`,
    );
  if (isOther)
    return other(
      `it differs by ${difference.blockLevels.toPrecision(2)} of 255 levels, which encoding does not explain`,
    );
  return { cameraName, verdict: 'same', words: `The steps of camera “${cameraName}” give the same picture there.` };
}

export const notCompared = (cameraName: string, because: string): StepsJudged => ({
  cameraName,
  verdict: 'not-compared',
  words: `${cameraName === '' ? 'the steps of its camera' : `the steps of camera “${cameraName}”`} (${because})`,
});

const doubted = (cameraName: string, doubt: StepsDoubt, because: string): StepsJudged => ({
  ...notCompared(cameraName, because),
  doubt,
});

const sizeText = ({ widthPx, heightPx }: FrameSize): string => `${widthPx} × ${heightPx}`;
