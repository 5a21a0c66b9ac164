import { LatestWins } from '../../../base/schedule/latest-wins.ts';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { RunFrames } from './run-frames.ts';

/** Hears all frames in order, and says at their end what came of them. */
interface Player<Result> {
  /** May take a while: the next frame waits for it. */
  add(frame: FootageFrame): unknown;
  end(): Result;
}

/** What the frames of a run say to a player. Of orders that come meanwhile, the last wins. */
export class FramesPlay<Order extends { readonly frames: RunFrames }, Result> {
  readonly #begin: (order: Order) => Player<Result>;
  readonly #isOther: (before: Order, now: Order) => boolean;
  #wanted: Order | null = null;
  #result = $state.raw<Result | null>(null);
  #fault = $state('');
  readonly #playing = new LatestWins(
    (order: Order) => this.#play(order),
    () => undefined,
  );

  /** @param isOther whether a result of the order before says nothing of the one now, beside that it is of other frames */
  constructor(begin: (order: Order) => Player<Result>, isOther: (before: Order, now: Order) => boolean) {
    this.#begin = begin;
    this.#isOther = isOther;
  }

  /** The result; while another order is played, still that of the order before. null: nothing was played yet. */
  get result(): Result | null {
    return this.#result;
  }

  /** Why frames could not be read back or played; '': they could. */
  get fault(): string {
    return this.#fault;
  }

  async follow(order: Order): Promise<void> {
    const before = this.#wanted;
    if (before?.frames !== order.frames || this.#isOther(before, order)) this.#result = null;
    this.#wanted = order;
    await this.#playing.offer(order);
  }

  /** Shows nothing until something is played again. */
  clear(): void {
    this.#wanted = null;
    this.#result = null;
    this.#fault = '';
  }

  async #play(order: Order): Promise<void> {
    try {
      const player = this.#begin(order);
      for await (const frame of order.frames.all()) {
        if (this.#wanted !== order) return;
        await player.add(frame);
      }
      if (this.#wanted !== order) return;
      this.#result = player.end();
      this.#fault = '';
    } catch (error) {
      if (this.#wanted === order) this.#fault = errorMessage(error);
    }
  }
}
