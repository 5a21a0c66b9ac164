import { besideModel, type ConfigEntry, modelServiceOf } from '../../../machine/config/face/machine-config.ts';
import { formatOf, moduleFor } from '../../../models/fit/modules/known-modules.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';

/** The model service attributes that are needed to run a file. */
export interface ModelServiceFile {
  readonly module: string;
  readonly path: string;
}

/**
 * How the model service of a vision service must change to run a model of another format than its module's; null:
 * it fits, it is not part of the configuration, or its module is unknown here.
 */
export function moduleForOtherFormat(
  entries: readonly ConfigEntry[],
  service: string,
  { format, fileName }: Pick<ModelDescription, 'format' | 'fileName'>,
): ModelServiceFile | null {
  const module = modelServiceOf(entries, service)?.model ?? '';
  const runs = formatOf(module);
  if (!format || runs === undefined || runs === format.name) return null;
  return { module: moduleFor(format.name), path: besideModel(entries, service, fileName) };
}
