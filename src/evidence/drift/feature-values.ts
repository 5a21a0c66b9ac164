import type { FrameFeatures } from './frame-features.ts';
import type { UnitValues } from './two-sample-test.ts';

/** The features of a picture's pixels that are compared. */
export const pictureFeatures = ['brightness', 'contrast', 'sharpness'] as const;
/** The features of its boxes that are compared: how many there are, area and score of each, and which labels a frame shows. */
export const boxFeatures = ['boxes', 'area', 'score', 'labels'] as const;

export type ComparedFeature = (typeof pictureFeatures)[number] | (typeof boxFeatures)[number];

/** The values of one feature on all frames, as columns. */
export interface FeatureValues extends Pick<UnitValues, 'value' | 'unit'> {
  readonly feature: ComparedFeature;
  /** number of the frame of each value */
  readonly frame: Uint32Array;
  /** the values are numbers of these; null: they are measured */
  readonly labels: readonly string[] | null;
}

/** Gathers every feature of frames. @param unitOf number of the unit of each frame */
export function featureValues(frames: readonly FrameFeatures[], unitOf: Uint32Array): readonly FeatureValues[] {
  const labels = [...new Set(frames.flatMap(({ boxes }) => boxes.map(({ label }) => label)))].sort();
  const numberOf = new Map(labels.map((label, number) => [label, number]));
  const gather = (
    feature: ComparedFeature,
    valuesOf: (frame: FrameFeatures) => readonly number[],
    names: readonly string[] | null = null,
  ): FeatureValues => {
    const values: number[] = [];
    const of: number[] = [];
    for (const [at, frame] of frames.entries()) {
      for (const value of valuesOf(frame)) {
        values.push(value);
        of.push(at);
      }
    }
    const frame = Uint32Array.from(of);
    return { feature, value: Float64Array.from(values), frame, unit: frame.map((at) => unitOf[at]!), labels: names };
  };
  const looks = (feature: (typeof pictureFeatures)[number]) =>
    gather(feature, ({ statistics }) => (statistics ? [statistics[feature]] : []));
  return [
    ...pictureFeatures.map(looks),
    gather('boxes', ({ boxes }) => [boxes.length]),
    gather('area', ({ boxes }) => boxes.map(({ area }) => area)),
    gather('score', ({ boxes }) => boxes.flatMap(({ score }) => (score === null ? [] : [score]))),
    gather('labels', ({ boxes }) => [...new Set(boxes.map(({ label }) => numberOf.get(label)!))], labels),
  ];
}
