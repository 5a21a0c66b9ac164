import { hasRecords } from './has-records.ts';

/** Whether the data in this browser has pipelines to run: pages without data start no data service for this. */
export function hasPipelines(databaseName = 'sightglass-data'): Promise<boolean> {
  return hasRecords(databaseName, 'pipelines');
}
