import {
  besideModel,
  type ConfigEntry,
  labelFileName,
  modelPathOf,
  modelServiceOf,
  type ModelSettings,
} from '../../../machine/config/face/machine-config.ts';
import { formatOf } from '../../../models/fit/modules/known-modules.ts';
import { statedFeeding } from '../../../machine/vision/face/inference.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { moduleForOtherFormat } from './other-format.ts';

/** What the vision service is given for every model; as in the example, it hides what a detector is least sure of. */
export const usualAttributes = { default_minimum_confidence: 0.5 } as const;

/**
 * Minimum confidence of a built-in model whose scores are lower: on 40 photographs of COCO, NanoDet-g finds 68 of 186 things with 23
 * false boxes at 0.4, and 32 with 6 at 0.5.
 */
const minimumConfidence: Readonly<Record<string, number>> = { 'object-detector.onnx': 0.4 };

/** Attributes of the vision service for a new model. A fitted model's file states mean, deviation and channel order. */
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

/** Settings for a model of which only the file is known: the feeding that the file states, and its path. */
export function usualSettings(
  entries: readonly ConfigEntry[],
  service: string,
  model: Pick<ModelDescription, 'fileName' | 'format' | 'metadata'>,
  isBuiltin: boolean,
): ModelSettings {
  const { fileName } = model;
  const minimum = isBuiltin ? minimumConfidence[fileName] : undefined;
  const present = modelServiceOf(entries, service);
  // A module that is not known here may read its file from another attribute.
  const hasPath = present && (formatOf(present.model) !== undefined || modelPathOf(entries, service) !== '');
  return {
    vision: { ...usualVision(model), ...(minimum !== undefined && { default_minimum_confidence: minimum }) },
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
