/** A moment as every table, list and field of the data area writes it: "2026-03-28 23:50:12 UTC"; '' for none. */
export const timeText = (ms: number | null): string =>
  ms === null || Number.isNaN(new Date(ms).getTime())
    ? ''
    : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
