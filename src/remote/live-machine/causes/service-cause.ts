import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { LikelyReason } from '../likely-reasons.ts';
import type { TriedService } from './try-services.ts';

/** A service that may be the machine's: it differs from the one here in one thing. */
export interface ServiceCause {
  readonly reason: LikelyReason;
  readonly service: TriedService;
  /** the machine's own value, as far as it is known; one sentence or two */
  readonly words: string;
}

/** The attributes of a vision service, as its configuration writes them. */
const writtenAs = {
  bgr: 'input_image_bgr',
  meanValue: 'input_image_mean_value',
  stdDev: 'input_image_std_dev',
  boxOrder: 'xmin_ymin_xmax_ymax_order',
  remapOutputNames: 'remap_output_names',
} as const satisfies Partial<Record<keyof VisionServiceConfig, string>>;

type Changes = Partial<Pick<VisionServiceConfig, keyof typeof writtenAs>>;

/** A service with other attributes. */
export interface AttributeCause extends ServiceCause {
  readonly changes: Changes;
  /** the difference, as the subject of a sentence that says that more differs */
  readonly differs: string;
}

/** A service with other attributes, and a sentence that names them. */
export function changed(present: TriedService, changes: Changes): AttributeCause {
  const { config } = present;
  const keys = (Object.keys(changes) as (keyof typeof writtenAs)[]).filter(
    (key) => JSON.stringify(changes[key]) !== JSON.stringify(config[key]),
  );
  const named = keys.map((key) => `${writtenAs[key]} ${valueText(changes[key])}`);
  const here = keys.map((key) => valueText(config[key]));
  return {
    reason: 'other-attribute',
    changes,
    service: { ...present, config: { ...config, ...changes } },
    words: `With ${named.join(' and ')} both say the same; here it is ${here.join(' and ')}.`,
    differs: `there it is ${named.join(' and ')}, and here ${here.join(' and ')}`,
  };
}

/** Both causes together; `then` is what is left to explain with the first. */
export const together = (first: string, then: ServiceCause): ServiceCause => ({
  reason: 'more-than-one',
  service: then.service,
  words: `More than one thing differs: ${first} What is left then: ${then.words}`,
});

function valueText(value: unknown): string {
  if (value === null) return 'not given';
  if (Array.isArray(value)) return `[${value.map((part) => Number(Number(part).toPrecision(4))).join(', ')}]`;
  return JSON.stringify(value);
}
