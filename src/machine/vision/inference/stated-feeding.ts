/** What the model file or its family says of how the model must be fed, without looking at its outputs. */
export interface StatedFeeding {
  /**
   * who says it: the file, after it was fitted here; the file, by its exporter's description; or the known family
   * that it belongs to
   */
  readonly source: 'fitted' | 'exporter' | 'family';
  /** why it is only a guess, in a sentence; null: who says it knows */
  readonly guess: string | null;
  /** the family's name if `source` is 'family'; otherwise '' */
  readonly familyName: string;
  /** true: blue is the first channel; null: nothing is known of the channel order */
  readonly bgr: boolean | null;
  /**
   * mean and deviation of each output channel, for values v / 255; null: nothing is known, or the model takes bytes
   */
  readonly range: { readonly meanValue: readonly number[]; readonly stdDev: readonly number[] } | null;
  /** the border around pictures in training, which nothing adds now; null: they were stretched; absent: nothing is known, or the graph adds it */
  readonly letterbox?: TrainedLetterbox | null;
}

/** How a model's pictures kept their proportions in training. */
export interface TrainedLetterbox {
  /** byte of the border */
  readonly border: number;
  /** where the picture lies in the input */
  readonly at: 'centre' | 'top-left';
}

/**
 * The metadata key under which a fitted model says how a vision service must feed it: JSON with the service's own attributes,
 * input_image_mean_value, input_image_std_dev and input_image_bgr, each left out where the machine's default is right.
 */
export const fittedFeedingKey = 'sightglass.feeding';

/** The key of a fitted model under which stands why its feeding is only a guess; absent where it is known. */
export const feedingGuessKey = 'sightglass.feeding_guess';

/**
 * The key of a fitted detector under which its training's letterbox stands as JSON: {"border": 114, "at": "centre"}, or null where it
 * learned from stretched pictures; absent where its graph pads, or nobody knows.
 */
export const letterboxKey = 'sightglass.letterbox';

/**
 * The key under which TFLite Metadata's description of the input picture is passed on: JSON, {"color_space": "RGB",
 * "mean": [127.5], "std": [127.5]} with the mean and the deviation of bytes. A key is left out where the file does
 * not say it.
 */
export const exporterFeedingKey = 'input_image';

/**
 * Reads from a model's metadata how to feed it.
 * @param metadata the model file's own key-value pairs
 * @returns channel order, mean and deviation (of values v / 255); null: the metadata says nothing usable
 * @example
 * statedFeeding({ input_image: '{"color_space":"RGB","mean":[127.5],"std":[127.5]}' }); // => { source: 'exporter', guess: null, familyName: '', bgr: false, range: { meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] } }
 * statedFeeding({ author: 'a person' }); // => null
 */
export function statedFeeding(metadata: Readonly<Record<string, string>>): StatedFeeding | null {
  const fitted = parsed(metadata[fittedFeedingKey]);
  if (fitted) {
    const { input_image_mean_value: mean, input_image_std_dev: std, input_image_bgr: bgr } = fitted;
    const guess = metadata[feedingGuessKey] ?? null;
    const letterbox = letterboxOf(metadata[letterboxKey]);
    const range = rangeOf(mean, std, 1);
    return {
      source: 'fitted',
      guess,
      familyName: '',
      bgr: bgr === true,
      range,
      ...(letterbox !== undefined && { letterbox }),
    };
  }
  const described = parsed(metadata[exporterFeedingKey]);
  if (!described) return null;
  const range = rangeOf(described['mean'], described['std'], 255);
  const bgr = described['color_space'] === 'RGB' ? false : null;
  return range || bgr !== null ? { source: 'exporter', guess: null, familyName: '', bgr, range } : null;
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function letterboxOf(text: string | undefined): TrainedLetterbox | null | undefined {
  if (text === 'null') return null;
  const { border, at } = parsed(text) ?? {};
  const isByte = typeof border === 'number' && border >= 0 && border <= 255;
  return isByte && (at === 'centre' || at === 'top-left') ? { border, at } : undefined;
}

/** One number stands for all three channels; a deviation of 0 is invalid. */
function rangeOf(mean: unknown, std: unknown, most: 1 | 255): StatedFeeding['range'] {
  const [meanValue, stdDev] = [threeOf(mean, most), threeOf(std, most)];
  return meanValue && stdDev && stdDev.every((value) => value > 0) ? { meanValue, stdDev } : null;
}

function threeOf(values: unknown, most: 1 | 255): readonly number[] | null {
  if (!Array.isArray(values) || !values.every((value) => Number.isFinite(value))) return null;
  const three = values.length === 1 ? [values[0], values[0], values[0]] : values;
  return three.length === 3 ? three.map((value) => Number(value) / most) : null;
}
