import type { RawClassifications, RawDetections, RawResults } from '../../../machine/vision/face/results.ts';

// JSON has neither NaN nor infinities, but scores may have these values.
const words: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, '-Infinity': -Infinity };

/** A number as JSON can hold it. */
export const numberToJson = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** @throws TypeError */
export function numberFromJson(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value in words) return words[value]!;
  throw new TypeError(`${JSON.stringify(value)} is not a number`);
}

/** Writes raw results as JSON text from which every number is read back exactly. */
export function rawResultsToJson({ detections, classifications }: RawResults): string {
  return JSON.stringify({
    detections: detections && {
      ...detections,
      labelIndex: [...detections.labelIndex],
      score: Array.from(detections.score, numberToJson),
      box: [...detections.box],
    },
    classifications: classifications && {
      labels: classifications.labels,
      score: Array.from(classifications.score, numberToJson),
    },
  });
}

/**
 * Reads raw results back.
 * @throws TypeError, SyntaxError if the text holds no raw results
 */
export function rawResultsFromJson(text: string): RawResults {
  const { detections, classifications } = JSON.parse(text) as {
    detections: Record<keyof RawDetections, unknown> | null;
    classifications: Record<keyof RawClassifications, unknown> | null;
  };
  return {
    detections: detections && detectionsOf(detections),
    classifications: classifications && {
      labels: textsOf(classifications.labels),
      score: Float64Array.from(numbersOf(classifications.score)),
    },
  };
}

function detectionsOf(json: Record<keyof RawDetections, unknown>): RawDetections {
  const labels = textsOf(json.labels);
  const score = Float64Array.from(numbersOf(json.score));
  const count = score.length;
  const labelIndex = Uint32Array.from(numbersOf(json.labelIndex));
  const box = Int32Array.from(numbersOf(json.box));
  if (labelIndex.length !== count || box.length !== 4 * count || labelIndex.some((index) => index >= labels.length)) {
    throw new TypeError('rows of different lengths');
  }
  return {
    count,
    labels,
    labelIndex,
    score,
    box,
    frameWidthPx: numberFromJson(json.frameWidthPx),
    frameHeightPx: numberFromJson(json.frameHeightPx),
    boxSpace: json.boxSpace === 'absolute' ? 'absolute' : 'proportional',
    droppedNaN: numberFromJson(json.droppedNaN),
  };
}

function numbersOf(value: unknown): number[] {
  if (!Array.isArray(value)) throw new TypeError('a list of numbers is missing');
  return value.map(numberFromJson);
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new TypeError('a list of labels is missing');
}
