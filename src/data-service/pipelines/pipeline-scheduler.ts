import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { PipelineWatch } from './pipeline-watch.ts';

type SchedulerDependencies = Pick<DataServiceDependencies, 'store' | 'ids' | 'queryRunner' | 'defects'>;

/**
 * Runs the pipelines of a store as their windows close. Any number of schedulers may share a store: the one that
 * claims a window runs it, and another takes over if that one dies. It has no timer: its host calls `tick` every
 * few seconds. The time is the store's, so that the clocks of hosts do not matter.
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
   * Checks every enabled pipeline once, and resolves when the runs that this started have ended: to true if there
   * is more of the past to fill in, which need not wait for the next tick. Ticks may overlap: a pipeline that is
   * busy in one tick is skipped by others. A failure in one pipeline is reported and does not stop the others.
   * `signal` leaves running windows to other schedulers.
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
