import { createDatasetEngine } from './engine/dataset-engine.ts';
import { randomId } from '../../src/platform/browser/random-id.ts';
import { exposeDatasetWorker } from './dataset-worker.ts';
import { tellThatRunning } from '../boundary/worker-life.ts';

exposeDatasetWorker(createDatasetEngine());
tellThatRunning(self, `sightglass-datasets-${randomId()}`);
