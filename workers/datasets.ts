import { createDatasetEngine } from '../src/platform/browser/dataset-worker/dataset-engine.ts';
import { randomId } from '../src/platform/browser/random-id.ts';
import { exposeDatasetWorker } from '../src/rpc/dataset-worker.ts';
import { tellThatRunning } from '../src/rpc/worker-life.ts';

exposeDatasetWorker(createDatasetEngine());
tellThatRunning(self, `sightglass-datasets-${randomId()}`);
