import type { Answer, FrameAnswer, Result } from '../answer.ts';
import type { Answered } from '../run-cases.ts';
import { detectorOutputs, type OutputRecipe } from './model-recipes.ts';
import {
  caseOf,
  sourceCamera,
  sourceName,
  transformCamera,
  visionName,
  visionServices,
  type SeededCase,
} from './seeded-case.ts';

/** An intentional difference, as described in CONTRIBUTING ("Where Sightglass departs from the machine on purpose"). */
export interface Departure {
  readonly name: string;
  readonly seeded: SeededCase;
  /** the answers of both sides, in the form of `describeAnswer` */
  readonly machine: RegExp;
  readonly here: RegExp;
  /** whether it explains a difference in a random case; absent if random cases avoid it */
  readonly explains?: (answered: Answered) => boolean;
}

const picture = { png: 'rgb', bits: 8, size: [3, 2], seed: 1 } as const;

function transform(step: object, ...sizes: (readonly [number, number])[]): SeededCase {
  return caseOf({
    idea: 'departure',
    op: 'transform',
    camera: 'seen',
    config: { components: [sourceCamera, transformCamera('seen', sourceName, [step])] },
    frames: sizes.map((size) => ({ ...picture, size })),
  });
}

function answering(op: 'detect' | 'classify', outputs: readonly OutputRecipe[], attributes = {}, top = 0): SeededCase {
  return caseOf({
    idea: 'departure',
    op,
    top,
    frames: [picture],
    labelFiles: { '@labels': 'a\nb' },
    config: { services: visionServices(attributes) },
    models: { [visionName]: { input: { heightPx: 4, widthPx: 4 }, outputs } },
  });
}

const probabilities = (...values: (number | null)[]): OutputRecipe[] => [
  { name: 'probability', shape: [1, values.length], values },
];
const box = [0, 0, 0.5, 0.9];

export const departures: readonly Departure[] = [
  {
    name: 'guessed tensor names',
    seeded: answering('detect', [
      { name: 'these', shape: [1, 1, 4], values: box },
      { name: 'those', shape: [1, 1, 4], values: [0, 0, 1, 1] },
      { name: 'classes', shape: [1, 1], values: [1] },
      { name: 'confidence', shape: [1, 1], values: [0.5] },
    ]),
    machine: /^1 0\.5 \[0 0 (1 0|2 1)\]$/, // one of the two, at random
    here: /^1 0\.5 \[0 0 1 0\]$/,
  },
  {
    name: 'a remap to a tensor that the model lacks',
    seeded: answering('detect', detectorOutputs(box, [1], [0.5]), {
      remap_output_names: { boxes: 'location', category: 'category', score: 'score' },
    }),
    machine: /^refused: panic: .*nil pointer/,
    here: /^refused: .*takes the location from "boxes", which the model does not have/,
  },
  {
    name: 'a NaN coordinate',
    seeded: answering('detect', detectorOutputs([...box, 0, null, 0.5, 0.9], [1, 1], [0.5, 0.25])),
    machine: /^1 0\.5 \[0 0 1 0\], 1 0\.25 \[-9223372036854776000 0 1 0\]$/,
    here: /^1 0\.5 \[0 0 1 0\]$/,
    explains: differsByNaN,
  },
  {
    name: 'a NaN category',
    seeded: answering('detect', detectorOutputs([...box, ...box], [1, null], [0.5, 0.25]), { label_path: '@labels' }),
    machine: /^refused: panic: .*index out of range/,
    here: /^b 0\.5 \[0 0 1 0\]$/,
  },
  {
    name: 'a NaN score among the top n',
    seeded: answering('classify', probabilities(0.1, null, 0.2), {}, 1),
    machine: /^0 0\.1$/, // the first one after Go's unstable sort
    here: /^2 0\.2$/,
  },
  {
    name: 'equal scores among the top n',
    seeded: answering('classify', probabilities(...Array.from({ length: 20 }, (_, i) => (i % 2) / 2)), {}, 4),
    machine: /^(\d+ 0\.5, ){3}\d+ 0\.5$/, // in any order, because Go's sort is not stable
    here: /^1 0\.5, 3 0\.5, 5 0\.5, 7 0\.5$/,
  },
  {
    name: 'no boxes at all',
    seeded: answering('detect', detectorOutputs([], [], [])),
    machine: /^refused: panic: .*index out of range/,
    here: /^$/,
  },
  {
    name: 'a negative resize',
    seeded: transform({ type: 'resize', attributes: { width_px: -3, height_px: 1 } }, [3, 2]),
    machine: /^3×1$/, // the machine ignores the sign
    here: /^refused: .*above 0, got -3/,
    explains: ({ machine, here }) =>
      machine.refusal === null && /resize must be above 0, got -/.test(here.refusal ?? ''),
  },
  {
    name: 'a relative crop while sizes change',
    seeded: transform({ type: 'crop', attributes: { x_max_px: 0.5, y_max_px: 0.5 } }, [3, 2], [10, 10], [3, 2]),
    machine: /^1×1; 5×5; 3×2$/, // the machine keeps the window of the larger frame
    here: /^1×1; 5×5; 1×1$/,
  },
];

/** An answer as one line: the refusal, the sizes of the pictures, or the results. */
export function describeAnswer({ refusal, frames }: Answer): string {
  if (refusal !== null) return `refused: ${refusal}`;
  return frames
    .map((frame) => (frame.refusal === null ? describeFrame(frame) : `refused: ${frame.refusal}`))
    .join('; ');
}

function describeFrame({ widthPx, heightPx, results, ability }: FrameAnswer): string {
  if (ability === null) return `${widthPx}×${heightPx}`;
  return results
    .map(
      ({ label, score, box }) =>
        `${label} ${Math.fround(score) === score ? Number(score.toPrecision(7)) : score}${box.length > 0 ? ` [${box.join(' ')}]` : ''}`,
    )
    .join(', ');
}

/** Whether the answers are equal without the rows that Go computes from NaN (which it converts to the smallest int). */
function differsByNaN({ machine, here }: Answered): boolean {
  const ofNaN = ({ box }: Result) => box.some((coordinate) => coordinate <= -(2 ** 62));
  const frames = machine.frames.map((frame) => ({ ...frame, results: frame.results.filter((row) => !ofNaN(row)) }));
  const some = machine.frames.some(({ results }) => results.some(ofNaN));
  return some && describeAnswer({ ...machine, frames }) === describeAnswer(here);
}
