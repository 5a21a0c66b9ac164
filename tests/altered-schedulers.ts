import type { Bench } from './pipeline-bench.ts';
import type { DataServiceDependencies } from '../src/data-service/ports/dependencies.ts';
import type { DataStore } from '../src/data-service/ports/data-store.ts';
import { PipelineScheduler } from '../src/data-service/pipelines/pipeline-scheduler.ts';

type Run = DataServiceDependencies['queryRunner']['run'];

/** A scheduler whose queries are passed through `run`. */
export function schedulerThatAsks(bench: Bench, run: (ask: Run) => Run): PipelineScheduler {
  const { queryRunner } = bench.dependencies;
  const ask: Run = (...query) => queryRunner.run(...query);
  return new PipelineScheduler({ ...bench.dependencies, queryRunner: { ...queryRunner, run: run(ask) } });
}

/** A scheduler over a store with some methods replaced. */
export function schedulerOn(
  bench: Bench,
  changes: Partial<DataStore['pipelines']>,
  tabular: Partial<DataStore['tabular']> = {},
  others: Partial<Pick<DataStore, 'oldestWrite'>> = {},
) {
  const { store } = bench;
  const changed = {
    ...store,
    ...others,
    pipelines: { ...store.pipelines, ...changes },
    tabular: { ...store.tabular, ...tabular },
  };
  return new PipelineScheduler({ ...bench.dependencies, store: changed });
}

export const counts = async (bench: Bench, id: string) => (await bench.sink(id)).map(({ n }) => n);

export function closedGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export const settled = () => new Promise((resolve) => setImmediate(resolve));
