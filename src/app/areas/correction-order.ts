import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';

/** The order in which the images of a set are corrected: drawn by the evaluation, followed by the box editor. */
export interface CorrectionOrder {
  /** names it in addresses; stays when the order is drawn anew */
  readonly id: string;
  /** model and configuration that the worth was computed for, and the set */
  readonly key: string;
  /** id of the dataset */
  readonly setId: string;
  /** images in the order of their turn */
  readonly turns: readonly CorrectionTurn[];
  /** ids of images whose boxes a person says are right now */
  readonly corrected: readonly string[];
}

export interface CorrectionTurn {
  readonly id: string;
  /** the worth when the order was drawn: the estimate needs it unchanged */
  readonly worth: number;
  /** the random number that it was drawn by, above 0 and at most 1 */
  readonly lot: number;
}

const memoryKey = 'correction-orders';
const mostKept = 3;

/** The orders that the browser keeps, the latest first. */
export function recallOrders(memory: MemoryPort): readonly CorrectionOrder[] {
  const kept = recall(memory, memoryKey);
  return Array.isArray(kept) ? kept.filter(isOrder) : [];
}

/** Keeps an order before all others, in place of the one of the same key. */
export function rememberOrder(memory: MemoryPort, order: CorrectionOrder): void {
  const others = recallOrders(memory).filter(({ key }) => key !== order.key);
  remember(memory, memoryKey, [order, ...others].slice(0, mostKept));
}

/** Says in an order that the boxes of an image are right. Orders of other models of the same set stay as they are. */
export function markCorrected(memory: MemoryPort, orderId: string, imageId: string): void {
  const order = recallOrders(memory).find(({ id }) => id === orderId);
  if (!order || order.corrected.includes(imageId)) return;
  rememberOrder(memory, { ...order, corrected: [...order.corrected, imageId] });
}

/** Whether whoever goes from one image to another follows the order: a leap to a later one says nothing of the first. */
export const isNextTurn = (ids: readonly string[], from: string, to: string): boolean =>
  ids.includes(from) && ids.indexOf(to) === ids.indexOf(from) + 1;

const isChance = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

function isOrder(value: unknown): value is CorrectionOrder {
  const { id, key, setId, turns, corrected } = (value ?? {}) as Partial<Record<keyof CorrectionOrder, unknown>>;
  return (
    typeof id === 'string' &&
    typeof key === 'string' &&
    typeof setId === 'string' &&
    Array.isArray(turns) &&
    turns.every((turn: Partial<Record<keyof CorrectionTurn, unknown>> | null) =>
      Boolean(turn && typeof turn.id === 'string' && isChance(turn.worth) && isChance(turn.lot)),
    ) &&
    Array.isArray(corrected) &&
    corrected.every((image) => typeof image === 'string')
  );
}
