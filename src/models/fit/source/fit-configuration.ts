import { moduleFor, type ModelFormatName } from '../modules/known-modules.ts';
import type { Feeding } from './prologue.ts';

export interface ConfigurationFacts {
  readonly kind: 'detections' | 'classifications';
  readonly format: ModelFormatName;
  readonly feeding: Feeding;
  readonly modelFile: string;
  /** null where the classes have no names */
  readonly labelFile: string | null;
}

/** What the model service and the vision service of a fitted model say. */
export interface FittedConfiguration {
  readonly services: readonly [
    {
      readonly name: string;
      readonly api: string;
      readonly model: string;
      readonly attributes: { readonly model_path: string; readonly label_path?: string };
    },
    {
      readonly name: string;
      readonly api: string;
      readonly model: string;
      readonly attributes: FeedingAttributes & {
        readonly mlmodel_name: string;
        readonly default_minimum_confidence?: number;
      };
    },
  ];
}

/** Rows that pad the output have score 0, and only a minimum above 0 hides them. Exact in float32, as the machine compares. */
const usualMinimumConfidence = 0.25;

/** What a vision service's attributes say of how it feeds its model. */
type FeedingAttributes = {
  readonly input_image_mean_value?: readonly number[];
  readonly input_image_std_dev?: readonly number[];
  readonly input_image_bgr?: boolean;
};

/** Attributes that feed a model so; what is left out is the machine's default, or nothing to a model that takes bytes. */
export function feedingAttributes({ mean, stdDev, bgr }: Omit<Feeding, 'dtype'>): FeedingAttributes {
  return {
    ...(mean && stdDev && { input_image_mean_value: mean.map(asFloat32), input_image_std_dev: stdDev.map(asFloat32) }),
    ...(bgr && { input_image_bgr: true }),
  };
}

/** The shortest decimal of the same float32, in which the machine normalizes: 0.224 rather than 57.12 / 255, which is 0.22399999999999998. */
function asFloat32(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === Math.fround(value)) return decimal;
  }
  return Number(value.toPrecision(9)); // enough for any float32 (IEEE 754)
}

/** A machine configuration of a model service "m" and a vision service "v" that feed and read the model as it was written. */
export function fitConfiguration({
  kind,
  format,
  feeding,
  modelFile,
  labelFile,
}: ConfigurationFacts): FittedConfiguration {
  return {
    services: [
      {
        name: 'm',
        api: 'rdk:service:mlmodel',
        model: moduleFor(format),
        attributes: { model_path: modelFile, ...(labelFile !== null && { label_path: labelFile }) },
      },
      {
        name: 'v',
        api: 'rdk:service:vision',
        model: 'mlmodel',
        attributes: {
          mlmodel_name: 'm',
          ...feedingAttributes(feeding),
          ...(kind === 'detections' && { default_minimum_confidence: usualMinimumConfidence }),
        },
      },
    ],
  };
}
