/** What covers a pixel on the stage, by its `colorVerdict`: one that passes is seen as it is. */
export const maskColors = ['', 'rgb(235 235 240 / 82%)', 'rgb(40 30 90 / 82%)', 'rgb(20 20 20 / 72%)'] as const;

/** The same as bytes. */
export const maskBytes: readonly (readonly [red: number, green: number, blue: number, alpha: number])[] = [
  [0, 0, 0, 0],
  [235, 235, 240, 209],
  [40, 30, 90, 209],
  [20, 20, 20, 184],
];
