import { servicesBehind } from '../../../machine/config/face/machine-config.ts';
import { resultsKey } from './plan-in-force.svelte.ts';

type KeyedPlan = Parameters<typeof resultsKey>[0];

/** The tuned service, if its label file only names its results; null: a step draws the names into the picture, or it has no model. */
export const renamableService = ({ config, visionName, models }: Omit<KeyedPlan, 'cameraName'>): string | null =>
  visionName !== null && models[visionName] && !servicesBehind(config, null).has(visionName) ? visionName : null;

/**
 * The key of results without the names of their classes: under another label file of the tuned service they are renamed
 * (`renameResults`) and not run again.
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
