/** What a person says is on a picture. */
export interface GivenAnswer {
  /** a class's name or number */
  readonly label: string;
  /** xMin, yMin, xMax, yMax in pixels of the picture; null: not given */
  readonly boxPx: readonly [number, number, number, number] | null;
}

/** What a model said of a picture where it was trained. */
export interface GivenThing extends GivenAnswer {
  /** 0..1; null: not given */
  readonly score: number | null;
  /** how near numbers must come: half of the last digit; of whole pixels, which may be cut off, a whole one */
  readonly within: { readonly boxPx: number; readonly score: number };
}

/**
 * Reads what is on a picture.
 * @param text LABEL or LABEL@XMIN,YMIN,XMAX,YMAX
 * @returns label and box
 * @throws RangeError where a box has no area, in words that follow "wants"
 * @example
 * parseAnswer('cat@1,2,3,4').boxPx; // => [1, 2, 3, 4]
 * parseAnswer('cat@3,2,1,4'); // throws: a box as LABEL@XMIN,YMIN,XMAX,YMAX in pixels
 */
export function parseAnswer(text: string): GivenAnswer {
  const [, label, numbers] = /^(.+)@([\d.]+(?:,[\d.]+){3})$/s.exec(text) ?? [];
  if (label === undefined || numbers === undefined) return { label: text, boxPx: null };
  const [xMin, yMin, xMax, yMax] = numbers.split(',').map(Number) as [number, number, number, number];
  if (xMin < xMax && yMin < yMax) return { label, boxPx: [xMin, yMin, xMax, yMax] };
  throw new RangeError(`a box as LABEL@XMIN,YMIN,XMAX,YMAX in pixels, got "${text}".`);
}

/**
 * Reads what a model said of a picture, with the digits that it was printed with.
 * @param text LABEL or LABEL@XMIN,YMIN,XMAX,YMAX, and either with =SCORE behind it
 * @returns label, box, score, and how near numbers must come
 * @throws RangeError for a box without area or a score that is none, in words that follow "wants"
 * @example
 * parseThing('cat@1.5,2,3,4=0.87').score; // => 0.87
 * parseThing('cat=7'); // throws: a score from 0 to 1
 */
export function parseThing(text: string): GivenThing {
  const [, before, scoreText] = /^(.+)=([^=]+)$/s.exec(text) ?? [];
  const answer = parseAnswer(before ?? text);
  const score = scoreText === undefined ? null : Number(scoreText);
  if (score !== null && !(score > 0 && score <= 1))
    throw new RangeError(`a score from 0 to 1 behind "=", got "${text}".`);
  const box = /@(.+)$/s.exec(before ?? text)?.[1] ?? '';
  const boxDecimals = Math.max(...box.split(',').map(decimalsOf));
  return {
    ...answer,
    score,
    within: { boxPx: boxDecimals === 0 ? 1 : halfOf(boxDecimals), score: halfOf(decimalsOf(scoreText ?? '')) },
  };
}

/**
 * How near the numbers of a picture must come: as near as those with the fewest digits.
 * @param things what the model said of it, one or more
 * @returns in pixels, and of scores
 * @example
 * const fine = { boxPx: 0.51, score: 0.051 };
 * widestDigits([{ within: fine }, { within: { ...fine, boxPx: 1 } }]); // => { boxPx: 1, score: 0.051 }
 */
export function widestDigits(things: readonly GivenThing[]): GivenThing['within'] {
  const most = (of: 'boxPx' | 'score') => Math.max(...things.map(({ within }) => within[of]));
  return { boxPx: most('boxPx'), score: most('score') };
}

const decimalsOf = (text: string): number => /\.(\d+)$/.exec(text.trim())?.[1]?.length ?? 0;
/** A little more than half of the last digit, for what runtimes round apart. */
const halfOf = (decimals: number): number => 0.51 * 10 ** -decimals;
