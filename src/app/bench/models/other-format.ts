import { besideModel, modelServiceOf } from '../../../config/label-file.ts';
import type { ConfigEntry } from '../../../config/config-entries.ts';
import { formatOf, moduleFor } from '../../../fit/modules/known-modules.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';

/** What a model service is to be so that it runs a file. */
export interface ModelServiceFile {
  readonly module: string;
  readonly path: string;
}

/**
 * What the model service of a vision service must become for a model of another format than its module runs; null where it
 * fits, is not shown, or is a module that only the machine knows.
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
