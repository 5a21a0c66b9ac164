import type { Dice } from './dice.ts';
import { randomJpeg, randomPng } from './frame-recipes.ts';
import { caseOf, visionName, visionServices, type SeededCase } from './seeded-case.ts';

interface Published {
  readonly name: string;
  readonly op: 'detect' | 'classify';
  readonly attributes: object;
}

const perByte = [1 / 255, 1 / 255, 1 / 255];

/** Published models with their usual attributes. Raw detection heads are used as classifiers, with the given output tensor. */
const published: readonly Published[] = [
  {
    name: 'yolox_nano_416',
    op: 'classify',
    attributes: {
      remap_input_names: { images: 'image' },
      input_image_bgr: true,
      input_image_mean_value: [0, 0, 0],
      input_image_std_dev: perByte,
    },
  },
  {
    name: 'nanodet_m_320',
    op: 'classify',
    attributes: {
      remap_input_names: { 'input.1': 'image' },
      remap_output_names: { cls_pred_stride_32: 'probability' },
      input_image_mean_value: [0.406, 0.457, 0.485],
      input_image_std_dev: [0.225, 0.224, 0.229],
      input_image_bgr: true,
    },
  },
  {
    name: 'FastestDet_ortx',
    op: 'classify',
    attributes: {
      remap_input_names: { input: 'image' },
      input_image_bgr: true,
      input_image_mean_value: [0, 0, 0],
      input_image_std_dev: [1, 1, 1],
    },
  },
  {
    name: 'ultraface_RFB-320',
    op: 'detect',
    attributes: {
      remap_input_names: { input: 'image' },
      remap_output_names: { scores: 'score', boxes: 'location' },
      input_image_mean_value: [0.498, 0.498, 0.498],
      input_image_std_dev: [0.502, 0.502, 0.502],
      xmin_ymin_xmax_ymax_order: [0, 1, 2, 3],
      default_minimum_confidence: 0.9,
    },
  },
];

/** Models that the machine refuses: with a float16 input, and with an additional input. */
const refused: readonly Published[] = [
  { name: 'SqueezeNet_fp16_winml', op: 'classify', attributes: { remap_input_names: { data_0: 'image' } } },
  { name: 'deimv2_hgnetv2_atto_coco', op: 'detect', attributes: { remap_input_names: { images: 'image' } } },
];

export const publishedModels = '../shared/data/models';

/** A case that compares the input tensor of a published model for a photograph or noise. */
export function publishedModelCase(dice: Dice): SeededCase {
  const { name, op, attributes } = dice.pick(dice.chance(0.15) ? refused : published);
  return caseOf({
    idea: 'published model',
    op,
    top: 5,
    tensorsOnly: true,
    config: { services: visionServices(attributes) },
    models: { [visionName]: { file: `${publishedModels}/${name}.onnx` } },
    frames: [dice.chance(0.6) ? randomJpeg(dice) : randomPng(dice, 400)],
  });
}
