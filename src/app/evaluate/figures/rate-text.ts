/** A rate with three decimals; "–": there is nothing to divide by. */
export const rateText = (rate: number | null): string => (rate === null ? '–' : rate.toFixed(3));
