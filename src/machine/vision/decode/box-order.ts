/** Position p of a location row holds coordinate order[p]: 0 xMin, 1 yMin, 2 xMax, 3 yMax. */
export type BoxOrder = readonly [number, number, number, number];

/**
 * yMin, xMin, yMax, xMax: what the machine assumes without `xmin_ymin_xmax_ymax_order`. (A model module could name another
 * one beside its tensors; the published ones do not, and an order inside the model file is never read.)
 */
export const machineBoxOrder: BoxOrder = [1, 0, 3, 2];
