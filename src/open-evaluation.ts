import { version } from '../package.json';
import { createEvaluationClient } from '../workers/evaluation/client.ts';
import { prepareBenchModel } from './app/bench/bench-model.ts';
import type { Bench } from './app/bench/bench.svelte.ts';
import { feedingBench } from './app/bench/feeding/feeding-bench.ts';
import { solverOf } from './app/bench/solver/solver-state.svelte.ts';
import type { DataHost } from './app/data/context/data-host.ts';
import type { DatasetFiles } from './app/data/context/dataset-files.ts';
import { datasetTruth } from './app/data/tabs/datasets/dataset-truth.ts';
import { captureTruth } from './app/data/tabs/outbox/capture-truth.ts';
import { Evaluation, type EvaluationPorts } from './app/evaluate/evaluation/evaluation.svelte.ts';
import { joinedTruth } from './app/evaluate/run/joined-truth.ts';
import { createIdbResultStore } from './platform/browser/indexed-db/idb-result-store.ts';

// The part of the composition root that is fetched when the evaluation is first looked at.

interface EvaluationParts extends Pick<EvaluationPorts, 'memory' | 'sharedMemory'> {
  readonly bench: Bench;
  readonly openData: () => Promise<DataHost & Required<Pick<DataHost, 'samples'>>>;
  readonly openDatasetFiles: () => Promise<DatasetFiles>;
}

const startEvaluationWorker = (): Worker =>
  new Worker(new URL('../workers/evaluation/entry.ts', import.meta.url), { type: 'module', name: 'evaluation' });

const startFeedingWorker = (): Worker =>
  new Worker(new URL('../workers/feeding/entry.ts', import.meta.url), { type: 'module', name: 'feeding' });

export function openEvaluation({ bench, openData, openDatasetFiles, ...memories }: EvaluationParts): Evaluation {
  return new Evaluation({
    openTruth: async () => {
      const captures = captureTruth(async () => (await bench.captures.open()).captures.host.captures);
      return joinedTruth([datasetTruth(await openData()), captures]);
    },
    prepare: prepareBenchModel(bench),
    store: createIdbResultStore(),
    engine: createEvaluationClient(startEvaluationWorker),
    thumbnails: async () => (await openData()).thumbnails,
    ...memories,
    version,
    now: () => performance.now(),
    openKey: isSecureContext
      ? async () => (await import('./platform/browser/indexed-db/idb-signing-key.ts')).openSigningKey()
      : null,
    openScans: async () => (await openDatasetFiles()).engine,
    samples: async () => (await openData()).samples,
    feeding: {
      bench: feedingBench(bench, solverOf(bench)),
      measure: async (...asked) =>
        (await import('../workers/feeding/client.ts')).measureFeeding(startFeedingWorker, ...asked),
    },
  });
}
