// When pipelines run.

export { PipelineScheduler } from '../pipelines/pipeline-scheduler.ts';
export { startDelay } from '../pipelines/run-timing.ts';
export { Schedule } from '../pipelines/schedule.ts';
