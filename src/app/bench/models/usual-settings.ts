import type { ConfigEntry } from '../../../config/config-entries.ts';
import { besideModel, labelFileName, modelPathOf, modelServiceOf } from '../../../config/label-file.ts';
import type { ModelSettings } from '../../../config/model-settings.ts';
import { formatOf } from '../../../fit/modules/known-modules.ts';
import { statedFeeding } from '../../../vision/inference/stated-feeding.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { moduleForOtherFormat } from './other-format.ts';

/** What the vision service is given for every model; as in the example, it hides what a detector is least sure of. */
export const usualAttributes = { default_minimum_confidence: 0.5 } as const;

/** What the vision service is given for a model: of one that was fitted, how its file says that it is fed. */
export function usualVision({ metadata }: Pick<ModelDescription, 'metadata'>): ModelSettings['vision'] {
  const said = statedFeeding(metadata);
  if (said?.source !== 'fitted') return usualAttributes;
  const { bgr, range } = said;
  return {
    ...usualAttributes,
    ...(range && { input_image_mean_value: [...range.meanValue], input_image_std_dev: [...range.stdDev] }),
    ...(bgr === true && { input_image_bgr: true }),
  };
}

/** What a configuration says of a model of which nothing is known but its file: how that says that it is fed, and its path. */
export function usualSettings(
  entries: readonly ConfigEntry[],
  service: string,
  model: Pick<ModelDescription, 'fileName' | 'format' | 'metadata'>,
  isBuiltin: boolean,
): ModelSettings {
  const { fileName } = model;
  const present = modelServiceOf(entries, service);
  // A module that is not known here may read its file from another attribute.
  const hasPath = present && (formatOf(present.model) !== undefined || modelPathOf(entries, service) !== '');
  return {
    vision: usualVision(model),
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
