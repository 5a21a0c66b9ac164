const secondMs = 1000;
const dayMs = 86_400 * secondMs;
const unitsMs = { s: secondMs, m: 60 * secondMs, h: 3600 * secondMs, d: dayMs, w: 7 * dayMs, y: 365 * dayMs };

/** Milliseconds of a text as `90s`, by the units whose letters are given; null if it is none such, or is nothing. */
export function parseDuration(text: string, units: readonly (keyof typeof unitsMs)[]): number | null {
  const count = /^\d{1,5}(?=.$)/.exec(text)?.[0] ?? '0';
  const unit = units.find((letter) => text.endsWith(letter));
  return unit === undefined || Number(count) === 0 ? null : Number(count) * unitsMs[unit];
}
