import { feedingGuessKey, statedFeeding } from '../../../machine/vision/face/inference.ts';
import { reshape } from '../../onnx/face/graphs.ts';
import { detailKindOf, detailNames } from '../../../machine/vision/face/results.ts';
import type { TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { asBytes, notThisFamily, specificity, type Detections, type Family, type Head } from '../structure/family.ts';

const outputNames = ['location', 'category', 'score'] as const;

/**
 * No family: a detector that was fitted before, written once more with a border around its frames. It is taken only where it is asked
 * for. The border is the one that its file names, or the gray that most such models learned with.
 */
export const fitted: Family = {
  id: 'fitted',
  name: 'model that was fitted before',
  kind: 'detections',
  recognise({ picture, outputs, labels, metadata }) {
    const feeding = statedFeeding(metadata);
    const [location, category, score] = outputNames.map((name) => outputs.find((output) => output.name === name));
    if (!picture || feeding?.source !== 'fitted' || !location || !category || !score)
      return notThisFamily('its file does not say that it was fitted, or has no location, category and score');
    if (picture.widthPx === -1 || picture.heightPx === -1)
      return notThisFamily('it takes frames of any size, as a model does that pads by itself');
    const [, rows = 0] = location.shape;
    const details = detailsAmong(outputs);
    const [mean, stdDev] = [feeding.range?.meanValue ?? asBytes.mean, feeding.range?.stdDev ?? asBytes.stdDev];
    return {
      fits: true,
      evidence: ['It was fitted before: its outputs are boxes, classes and scores as the machine reads them.'],
      specificity: specificity.shape,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: labels?.length ?? 0,
      options: [],
      preprocessing: {
        colour: feeding.bgr ? 'bgr' : 'rgb',
        mean: [mean[0]!, mean[1]!, mean[2]!],
        stdDev: [stdDev[0]!, stdDev[1]!, stdDev[2]!],
        letterbox: feeding.letterbox ?? { border: 114, at: 'centre' },
      },
      ...(metadata[feedingGuessKey] !== undefined && { feedingGuess: metadata[feedingGuessKey] }),
      ...(metadata[fittedFamilyKey] !== undefined && { fittedAs: metadata[fittedFamilyKey] }),
      outputs: [...outputNames, ...details.map(({ name }) => name)],
      attach: (head) => ({
        kind: 'detections',
        location: head.output('location'),
        category: head.output('category'),
        score: head.output('score'),
        rows,
        ...keptDetails(head, details, rows),
      }),
    };
  },
};

/** The outputs that the bench draws from: of key points one, of masks the weights and the prototypes. */
function detailsAmong(outputs: readonly TensorInfo[]): readonly TensorInfo[] {
  const kind = detailKindOf(outputs);
  if (!kind) return [];
  const names = kind === 'masks' ? [detailNames.maskWeights, detailNames.maskPrototypes] : [detailNames.keyPoints];
  return names.map((name) => outputs.find((output) => output.name === name)!);
}

function keptDetails(
  { build, output }: Head,
  [numbers, prototypes]: readonly TensorInfo[],
  rows: number,
): Pick<Detections, 'further' | 'details'> {
  if (!numbers) return {};
  const count = numbers.shape.slice(2).reduce((product, size) => product * size, 1);
  return {
    further: reshape(build, output(numbers.name), [rows, count]),
    details: prototypes
      ? { kind: 'masks', prototypes: output(prototypes.name), shape: prototypes.shape }
      : { kind: 'key points', count: numbers.shape[2]! },
  };
}

/** The key of a fitted model under which its family's id stands. */
export const fittedFamilyKey = 'sightglass.family';
