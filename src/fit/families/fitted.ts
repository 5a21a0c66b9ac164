import { feedingGuessKey, statedFeeding } from '../../vision/inference/stated-feeding.ts';
import { asBytes, notThisFamily, specificity, type Family } from '../family.ts';

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
      outputs: outputNames,
      attach: ({ output }) => ({
        kind: 'detections',
        location: output('location'),
        category: output('category'),
        score: output('score'),
        rows,
      }),
    };
  },
};

/** The key of a fitted model under which its family's id stands. */
export const fittedFamilyKey = 'sightglass.family';
