/** The units in which plots are drawn; the page stretches them. */
export const plotSize = { width: 400, height: 200 } as const;
