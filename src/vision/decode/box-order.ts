/** Position p of a location row holds coordinate order[p]: 0 xMin, 1 yMin, 2 xMax, 3 yMax. */
export type BoxOrder = readonly [number, number, number, number];

/** yMin, xMin, yMax, xMax: what the machine assumes when nobody says otherwise. */
export const machineBoxOrder: BoxOrder = [1, 0, 3, 2];

export interface BoxOrderChoice {
  readonly order: BoxOrder;
  readonly from: 'configuration' | 'model metadata' | 'default';
}

/** Picks the order in force: the configuration's, else the model's own if it is a permutation, else the default. */
export function chooseBoxOrder(configured: BoxOrder | null, modelOrder: readonly number[] | null): BoxOrderChoice {
  if (configured) return { order: configured, from: 'configuration' };
  if (modelOrder && isBoxOrder(modelOrder)) return { order: modelOrder, from: 'model metadata' };
  return { order: machineBoxOrder, from: 'default' };
}

/** Whether a list is each of 0, 1, 2 and 3 once. */
export function isBoxOrder(order: readonly number[]): order is BoxOrder {
  return order.length === 4 && [0, 1, 2, 3].every((coordinate) => order.includes(coordinate));
}
