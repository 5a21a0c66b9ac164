import { servicesBehind } from '../../../config/run-key.ts';
import { resultsKey } from './plan-in-force.svelte.ts';

type KeyedPlan = Parameters<typeof resultsKey>[0];

/** The tuned service, if its label file only names what its model finds; null: a step draws the names into pictures, or it has no model. */
export const renamableService = ({ config, visionName, models }: Omit<KeyedPlan, 'cameraName'>): string | null =>
  visionName !== null && models[visionName] && !servicesBehind(config, null).has(visionName) ? visionName : null;

/**
 * A text that differs if rows of results differ in more than the names of their classes: another label file of the tuned service
 * renames what is there (see `renameResults`).
 */
export function rowsKey(plan: KeyedPlan): string {
  const { config, models } = plan;
  const renamable = renamableService(plan);
  if (renamable === null) return resultsKey(plan);
  const model = models[renamable]!;
  const visionServices = config.visionServices.map((service) =>
    service.name === renamable ? { ...service, labelPath: '' } : service,
  );
  const unnamed = { ...models, [renamable]: { ...model, labels: null } };
  return resultsKey({ ...plan, config: { ...config, visionServices }, models: unnamed });
}
