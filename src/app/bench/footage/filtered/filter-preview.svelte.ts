import { LatestWins } from '../../../../base/schedule/latest-wins.ts';
import type { FilterSetting } from '../../../../evidence/footage/filtered/filtered-play.ts';
import { FilteredRunPlay, type FilteredRun } from '../../../../evidence/footage/filtered/filtered-run.ts';
import { errorMessage } from '../../../../machine/vision/error-message.ts';
import { serviceFilter } from '../../../../machine/vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../../machine/vision/filter/thresholds.ts';
import type { RunFrames } from '../run-frames.ts';

/** What is played to a filtered camera, and how. */
export interface FilterOrder {
  readonly frames: RunFrames;
  readonly durationMs: number;
  /** name of the vision service that ran on the frames */
  readonly service: string;
  /** the service's own thresholds, which come before the filter */
  readonly thresholds: ServiceFilterRule;
  readonly setting: FilterSetting;
}

/** What a filtered camera would keep of the frames that were run. Whoever changes the camera or a threshold asks again. */
export class FilterPreview {
  #wanted: FilterOrder | null = null;
  #run = $state.raw<FilteredRun | null>(null);
  #fault = $state('');
  readonly #playing = new LatestWins(
    (order: FilterOrder) => this.#play(order),
    () => undefined,
  );

  /** The result; while another order is played, still that of the order before. null: nothing was played yet. */
  get run(): FilteredRun | null {
    return this.#run;
  }

  /** Why frames could not be read back; '': they could. */
  get fault(): string {
    return this.#fault;
  }

  async follow(order: FilterOrder): Promise<void> {
    if (this.#wanted?.frames !== order.frames || this.#wanted.service !== order.service) this.#run = null;
    this.#wanted = order;
    await this.#playing.offer(order);
  }

  /** Shows nothing until something is played again. */
  clear(): void {
    this.#wanted = null;
    this.#run = null;
    this.#fault = '';
  }

  async #play(order: FilterOrder): Promise<void> {
    const { frames, durationMs, service, thresholds, setting } = order;
    try {
      const play = new FilteredRunPlay(setting, service, serviceFilter(thresholds));
      for await (const frame of frames.all()) {
        if (this.#wanted !== order) return;
        play.add(frame);
      }
      if (this.#wanted !== order) return;
      this.#run = play.end(durationMs);
      this.#fault = '';
    } catch (error) {
      if (this.#wanted === order) this.#fault = errorMessage(error);
    }
  }
}
