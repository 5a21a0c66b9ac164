import type { FrameRecipe } from './frame-recipes.ts';
import type { ModelRecipe } from './model-recipes.ts';

/**
 * One test case for the machine's own code and for ours. It is plain data, so that it can be stored as JSON and run again.
 * Label files are named `@…` in the configuration. A name without content is a file that does not exist.
 */
export interface SeededCase {
  /** what it tests, in a few words */
  readonly idea: string;
  readonly op: 'transform' | 'detect' | 'classify' | 'build';
  readonly config: unknown;
  /** name of the camera; '' for detect and classify: the frame without a camera */
  readonly camera: string;
  readonly frames: readonly FrameRecipe[];
  /** by the name of the vision service */
  readonly models: Readonly<Record<string, ModelRecipe>>;
  readonly labelFiles: Readonly<Record<string, string>>;
  readonly top: number;
  /** compares only the input tensor and whether there are results, because the two runtimes round differently */
  readonly tensorsOnly: boolean;
}

/** The name of the vision service in a case, and of the first camera of each chain. */
export const visionName = 'seer';
export const sourceName = 'eye';
/** The name of its ML model service, whose `label_path` is the label file of the model module. */
export const modelServiceName = 'model';

/** A case with the given fields and defaults for the others. */
export function caseOf(given: Pick<SeededCase, 'idea' | 'op' | 'config'> & Partial<SeededCase>): SeededCase {
  return { camera: '', frames: [], models: {}, labelFiles: {}, top: 0, tensorsOnly: false, ...given };
}

/** A camera of a module. Built-in webcams lose a row or column of frames with odd sizes, which odd-sizes.test.ts tests. */
export const sourceCamera = { name: sourceName, api: 'rdk:component:camera', model: 'test:camera:eye' };

export function transformCamera(name: string, source: unknown, pipeline: unknown, more: object = {}) {
  return {
    name,
    api: 'rdk:component:camera',
    model: 'rdk:builtin:transform',
    attributes: { source, pipeline, ...more },
  };
}

/** The vision service of a case and its ML model service. */
export function visionServices(attributes: object = {}, modelAttributes: object = {}) {
  return [
    { name: modelServiceName, api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: modelAttributes },
    {
      name: visionName,
      api: 'rdk:service:vision',
      model: 'rdk:builtin:mlmodel',
      attributes: { mlmodel_name: modelServiceName, ...attributes },
    },
  ];
}
