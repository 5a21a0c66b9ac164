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

const coordinate = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
/** Texts that can only be meant as a box: a list, or one number. */
const boxLike = /,|^[-+.\de\s]*\d[-+.\de\s]*$/i;

/**
 * Reads what is on a picture.
 * @param text LABEL or LABEL@XMIN,YMIN,XMAX,YMAX; of a box that leaves the picture, numbers below 0
 * @returns label and box
 * @throws RangeError where a box has no area or not four numbers, in words that follow "wants"
 * @example
 * parseAnswer('cat@-1.5,2,3,4').boxPx; // => [-1.5, 2, 3, 4]
 * parseAnswer('cat@3,2,1,4'); // throws: a box that has an area, as LABEL@XMIN,YMIN,XMAX,YMAX in pixels: 3 is not left of 1
 */
export function parseAnswer(text: string): GivenAnswer {
  const at = text.lastIndexOf('@');
  const numbers = text.slice(at + 1);
  if (at < 0 || !boxLike.test(numbers)) return { label: text, boxPx: null };
  const refuse = (what: string, why: string): never => {
    throw new RangeError(`${what}, as LABEL@XMIN,YMIN,XMAX,YMAX in pixels: ${why}, got "${text}".`);
  };
  if (at === 0) refuse('a label before "@"', 'there is none');
  const parts = numbers.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !coordinate.test(part));
  if (wrong !== undefined) refuse('four numbers behind "@"', `"${wrong}" is not a number`);
  if (parts.length !== 4) refuse('four numbers behind "@"', `there are ${parts.length} of them`);
  const [xMin, yMin, xMax, yMax] = parts.map(Number) as [number, number, number, number];
  if (xMin >= xMax) refuse('a box that has an area', `${xMin} is not left of ${xMax}`);
  if (yMin >= yMax) refuse('a box that has an area', `${yMin} is not above ${yMax}`);
  return { label: text.slice(0, at), boxPx: [xMin, yMin, xMax, yMax] };
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

/** 1.25e-1 is told to three decimals. */
function decimalsOf(text: string): number {
  const [, decimals = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text.trim()) ?? [];
  return Math.max(0, decimals.length - Number(exponent));
}
/** A little more than half of the last digit, for what runtimes round apart. */
const halfOf = (decimals: number): number => 0.51 * 10 ** -decimals;
