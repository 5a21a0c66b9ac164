/** The least and the largest number of a quantised tensor, and the distance between neighbours. */
export interface StepRange {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

const ends: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32_768, 32_767],
};

/**
 * Says which numbers the steps of a quantised tensor stand for: real = scale · (stored − zeroPoint).
 * @param quantisation the type that is stored, and what its steps mean
 * @returns the range; null: of a type that is not read here
 * @example
 * stepRange({ type: 'int8', scale: 0.5, zeroPoint: -128 }); // => { low: 0, high: 127.5, step: 0.5 }
 * stepRange({ type: 'int32', scale: 1, zeroPoint: 0 }); // => null
 */
export function stepRange({
  type,
  scale,
  zeroPoint,
}: {
  readonly type: string;
  readonly scale: number;
  readonly zeroPoint: number;
}): StepRange | null {
  const range = ends[type];
  if (!range) return null;
  const [low, high] = range.map((stored) => scale * (stored - zeroPoint)) as [number, number];
  return { low, high, step: scale };
}
