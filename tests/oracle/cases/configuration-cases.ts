import type { Dice } from './dice.ts';
import { detectorOutputs } from './model-recipes.ts';
import { oddValues } from './random-steps.ts';
import {
  caseOf,
  sourceCamera,
  sourceName,
  transformCamera,
  visionName,
  visionServices,
  type SeededCase,
} from './seeded-case.ts';

type Json = Record<string, unknown>;

/** A configuration in which one attribute has an odd value, another letter case, or is missing, to compare whether it is accepted. */
export function configurationCase(dice: Dice): SeededCase {
  const config = wholeConfig();
  const places = placesIn(config, []).filter(([first]) => first === 'components' || first === 'services');
  const inAttributes = places.filter((path) => path.includes('attributes') && path.at(-1) !== 'attributes');
  spoil(config, dice.pick(inAttributes), dice);
  return caseOf({
    idea: 'one odd attribute',
    op: 'build',
    config,
    labelFiles: { '@labels': 'a\nb' },
    models: {
      [visionName]: { input: { heightPx: 4, widthPx: 4 }, outputs: detectorOutputs([0, 0, 1, 1], [1], [0.5]) },
    },
  });
}

function wholeConfig(): Json {
  const step = (type: string, attributes: Json) => ({ type, attributes });
  const steps = [
    step('crop', { x_min_px: 0.1, y_min_px: 0, x_max_px: 0.9, y_max_px: 1, overlay_crop_box: false }),
    step('resize', { width_px: 20, height_px: 10 }),
    step('rotate', { angle_degs: 90 }),
    step('detections', { detector_name: visionName, confidence_threshold: 0.5, valid_labels: ['a'] }),
    step('classifications', { classifier_name: visionName, confidence_threshold: 0.5, max_classifications: 2, valid_labels: [] }),
  ]; // prettier-ignore
  const more = {
    intrinsic_parameters: { width_px: 640, height_px: 480, fx: 1.5, fy: 1, ppx: 2, ppy: 3 },
    distortion_parameters: { rk1: 0.1, rk2: 0, rk3: 0, tp1: 0.01, tp2: 0 },
  };
  const attributes = {
    camera_name: sourceName,
    remap_input_names: { image: 'image' },
    remap_output_names: { location: 'location', category: 'category', score: 'score' },
    xmin_ymin_xmax_ymax_order: [0, 1, 2, 3],
    input_image_mean_value: [0.1, 0.2, 0.3],
    input_image_std_dev: [1, 2, 3],
    input_image_bgr: true,
    default_minimum_confidence: 0.2,
    label_confidences: { a: 0.3 },
    label_path: '@labels',
  };
  return {
    components: [sourceCamera, transformCamera('seen', sourceName, steps, more)],
    services: visionServices(attributes),
  };
}

type Path = readonly (string | number)[];

/** The paths of all values inside a JSON value. */
function placesIn(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...placesIn((value as Json)[key], [...path, key])]);
}

function spoil(config: Json, path: Path, dice: Dice): void {
  const key = path.at(-1)!;
  const parent = path.slice(0, -1).reduce<Json>((at, step) => at[step] as Json, config);
  const was = parent[key];
  if (typeof key === 'number') {
    parent[key] = dice.pick(oddValues);
    return;
  }
  const way = dice.pick(['value', 'value', 'value', 'value', 'case', 'gone']);
  delete parent[key];
  if (way === 'value') parent[key] = dice.pick(oddValues);
  if (way === 'case') parent[dice.pick([key.toUpperCase(), `${key} `])] = was;
}
