import type { DataServiceDependencies } from '../dependencies.ts';
import { PipelineWatch } from './pipeline-watch.ts';

type SchedulerDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'queryRunner' | 'defects'>;

/**
 * Runs the pipelines of a store as their windows close. Any number of schedulers may share a store: whichever claims
 * a window runs it, and another takes over when that one is lost. It has no timer: its host calls `tick`, every few
 * seconds or whenever it likes.
 */
export class PipelineScheduler {
  readonly #dependencies: SchedulerDependencies;
  readonly #owner: string;
  readonly #watches = new Map<string, PipelineWatch>();

  constructor(dependencies: SchedulerDependencies) {
    this.#dependencies = dependencies;
    this.#owner = dependencies.ids.next();
  }

  /**
   * Looks after every enabled pipeline once, and resolves when the runs that this began are over: to true if there is
   * more of the past to fill in, which need not wait for the next tick. Ticks may overlap: a pipeline that is still busy
   * is left to the tick that is at it. A failure in one pipeline is reported and keeps the others going. `signal` gives
   * running windows up for other schedulers.
   */
  async tick(signal: AbortSignal): Promise<boolean> {
    const enabled = await this.#dependencies.store.pipelines.listEnabled();
    const ids = new Set(enabled.map(({ id }) => id));
    for (const id of this.#watches.keys()) if (!ids.has(id)) this.#watches.delete(id);
    const isMoreDue = await Promise.all(
      enabled.map(async (pipeline) => {
        const known = this.#watches.get(pipeline.id);
        const watch = known ?? new PipelineWatch(this.#dependencies, pipeline.id, this.#owner);
        this.#watches.set(pipeline.id, watch);
        try {
          return await watch.poll(pipeline, signal);
        } catch (error) {
          this.#dependencies.defects.report(error, { operation: `schedule of pipeline ${pipeline.id}` });
          return false;
        }
      }),
    );
    return isMoreDue.includes(true);
  }
}
