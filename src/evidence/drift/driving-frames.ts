import type { FeatureValues } from './feature-values.ts';
import type { FrameFeatures } from './frame-features.ts';
import type { SampleDistance } from './two-sample-test.ts';

/** A frame that makes a difference. */
export interface DrivingFrame {
  readonly id: string;
  readonly name: string;
  /** a frame of the reference shows what the later ones lack */
  readonly side: 'reference' | 'later';
  /** the frame's most different value, or how many boxes of the label it has */
  readonly value: number;
  /** the label of which one side has more; null: the feature is measured */
  readonly label: string | null;
}

const mostFrames = 24;

/**
 * The frames that drive a difference: later ones on that side of the greatest difference where they are too many, the
 * most extreme first. Of a label that became rare, the reference's own frames show what is missing.
 *
 * @param values of one feature, on the frames of the reference and then the later ones
 * @param distance where the difference is greatest
 * @param frames of both sides
 * @returns at most 24 frames
 */
export function drivingFrames(
  { value, frame, labels }: Pick<FeatureValues, 'value' | 'frame' | 'labels'>,
  { at, isLaterMore }: SampleDistance,
  frames: { readonly reference: readonly FrameFeatures[]; readonly later: readonly FrameFeatures[] },
): readonly DrivingFrame[] {
  const all = [...frames.reference, ...frames.later];
  const wantsLater = labels === null || isLaterMore;
  const worst = new Map<number, number>();
  for (const [row, one] of value.entries()) {
    const of = frame[row]!;
    if (of >= frames.reference.length !== wantsLater) continue;
    const known = worst.get(of);
    if (labels) {
      if (one === at) worst.set(of, all[of]!.boxes.filter(({ label }) => label === labels[at]).length);
    } else if (isLaterMore ? one > at && one > (known ?? -Infinity) : one <= at && one < (known ?? Infinity)) {
      worst.set(of, one);
    }
  }
  const isLowFirst = labels === null && !isLaterMore;
  return [...worst]
    .sort(([, a], [, b]) => (isLowFirst ? a - b : b - a))
    .slice(0, mostFrames)
    .map(([of, most]) => ({
      id: all[of]!.id,
      name: all[of]!.name,
      side: wantsLater ? 'later' : 'reference',
      value: most,
      label: labels?.[at] ?? null,
    }));
}
