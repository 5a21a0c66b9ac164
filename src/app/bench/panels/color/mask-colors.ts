/** What covers a pixel on the stage, by its `colorVerdict`, as red, green, blue and alpha: one that passes is seen as it is. */
export const maskColors: readonly (readonly [red: number, green: number, blue: number, alpha: number])[] = [
  [0, 0, 0, 0],
  [235, 235, 240, 209],
  [40, 30, 90, 209],
  [20, 20, 20, 184],
];
