import type { ConfigEntry } from '../../../config/config-entries.ts';
import { besideModel, labelFileName, modelPathOf, modelServiceOf } from '../../../config/label-file.ts';
import type { ModelSettings } from '../../../config/model-settings.ts';
import { formatOf } from '../../../fit/modules/known-modules.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { moduleForOtherFormat } from './other-format.ts';

/** What the vision service is given for every model; as in the example, it hides what a detector is least sure of. */
export const usualAttributes = { default_minimum_confidence: 0.5 } as const;

/** What a configuration says of a model of which nothing is known but its file: the machine's own feeding, and its path. */
export function usualSettings(
  entries: readonly ConfigEntry[],
  service: string,
  model: Pick<ModelDescription, 'fileName' | 'format'>,
  isBuiltin: boolean,
): ModelSettings {
  const { fileName } = model;
  const present = modelServiceOf(entries, service);
  // A module that is not known here may read its file from another attribute.
  const hasPath = present && (formatOf(present.model) !== undefined || modelPathOf(entries, service) !== '');
  return {
    vision: usualAttributes,
    file: hasPath
      ? {
          module: moduleForOtherFormat(entries, service, model)?.module ?? present.model,
          attributes: {
            model_path: besideModel(entries, service, fileName),
            ...(isBuiltin && { label_path: labelFileName(fileName) }),
          },
        }
      : null,
  };
}
