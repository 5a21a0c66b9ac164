import type { FrameRecipe } from './frame-recipes.ts';
import type { ModelRecipe } from './model-recipes.ts';

/**
 * One question to the machine's own code and to ours. Plain data: as JSON it can be kept, sent and asked again.
 * Label files are named `@…` in the configuration; a name without a content is a file that does not exist.
 */
export interface SeededCase {
  /** what it tries, in a few words */
  readonly idea: string;
  readonly op: 'transform' | 'detect' | 'classify' | 'build';
  readonly config: unknown;
  /** '' with detect and classify: the frame as it is */
  readonly camera: string;
  readonly frames: readonly FrameRecipe[];
  /** by the name of their vision service */
  readonly models: Readonly<Record<string, ModelRecipe>>;
  readonly labelFiles: Readonly<Record<string, string>>;
  readonly top: number;
  /** compares the input tensor, and of the results only that there are some: the runtimes of the two sides round apart */
  readonly tensorsOnly: boolean;
}

/** The name of the vision service that a case asks, and of the camera at the beginning of each chain. */
export const visionName = 'seer';
export const sourceName = 'eye';
/** The ML model service behind it; its `label_path` is the label file that the model module names. */
export const modelServiceName = 'model';

/** A case with nothing but what is given. */
export function caseOf(given: Pick<SeededCase, 'idea' | 'op' | 'config'> & Partial<SeededCase>): SeededCase {
  return { camera: '', frames: [], models: {}, labelFiles: {}, top: 0, tensorsOnly: false, ...given };
}

/** Of a module: built-in webcams lose a row or column of odd frames on the way, which odd-sizes.test.ts looks at. */
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
