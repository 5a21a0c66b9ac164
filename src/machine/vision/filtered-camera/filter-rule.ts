import type { FilteredCameraAttributes } from '../../config/face/machine-config.ts';
import { filterRefusal, type FilterRefusal } from './filter-refusal.ts';

/**
 * What a filtered camera asks of its vision services, and how long it keeps what comes before and after
 * (github.com/viam-modules/filtered_camera, MIT, at 279e5e2, cam.go and image_buffer/image_buffer.go).
 */
export interface FilterRule {
  /** whose images it passes on */
  readonly camera: string;
  /** asked first, in this order: one match holds the image back */
  readonly inhibitors: readonly FilterService[];
  /** asked in this order until one matches; none at all: every image that is not inhibited passes */
  readonly acceptors: readonly FilterService[];
  readonly beforeMs: number;
  readonly afterMs: number;
  /** after the window, in which nothing triggers */
  readonly cooldownMs: number;
  /** how often its background worker takes an image, above 0 */
  readonly imageFrequencyHz: number;
  /** how many sets of images wait in the ring buffer at most; 0: none */
  readonly ringSize: number;
}

/** A vision service, and the scores that its labels must exceed: an exact label, or `*` for every one. */
export interface FilterService {
  readonly vision: string;
  readonly inhibit: boolean;
  /** empty: the service is not asked for classifications */
  readonly classifications: Readonly<Record<string, number>>;
  /** empty: the service is not asked for detections */
  readonly objects: Readonly<Record<string, number>>;
}

/** What the module takes for `image_frequency` 0 or none, in images a second. */
export const defaultImageFrequencyHz = 1;

/**
 * Reads the attributes of a filtered camera as its module does, checked in the module's order.
 * @param attributes decoded: 0 and '' where missing, null where a list or a map is missing
 * @returns the rule, with defaults in place and deprecated spellings read; or the first refusal
 * @example
 * const attributes = { camera: 'cam', vision: 'eyes', vision_services: null, classifications: null, objects: { dog: 0.5 }, window_seconds: 2, window_seconds_before: 0, window_seconds_after: 0, image_frequency: 0, cooldown_s: 0, debug: false };
 * const { acceptors, beforeMs, ringSize } = filterRule(attributes);
 * acceptors[0].objects; // => { dog: 0.5 }
 * [beforeMs, ringSize]; // => [2000, 6]
 * filterRule({ ...attributes, window_seconds: 0 }).code; // => 'no-window'
 */
export function filterRule(attributes: FilteredCameraAttributes): FilterRule | FilterRefusal {
  const refusal = filterRefusal(attributes);
  if (refusal) return refusal;
  const { window_seconds: both, image_frequency: frequency } = attributes;
  const [before, after] = both > 0 ? [both, both] : [attributes.window_seconds_before, attributes.window_seconds_after];
  const imageFrequencyHz = frequency || defaultImageFrequencyHz;
  const services = servicesOf(attributes);
  return {
    camera: attributes.camera,
    inhibitors: services.filter(({ inhibit }) => inhibit),
    acceptors: services.filter(({ inhibit }) => !inhibit),
    beforeMs: before * 1000,
    afterMs: after * 1000,
    cooldownMs: attributes.cooldown_s * 1000,
    imageFrequencyHz,
    // The deprecated window counts once: its buffer is half as large as that of the same two windows.
    ringSize: Math.trunc(3 * (both > 0 ? both : before + after) * imageFrequencyHz),
  };
}

/**
 * The module keeps what a service must say by its name, of accepting services and of inhibiting ones: of two entries for the same
 * service, both are asked with the last map that was given.
 */
function servicesOf(attributes: FilteredCameraAttributes): FilterService[] {
  const { vision, vision_services: given, classifications, objects } = attributes;
  const services = vision === '' ? (given ?? []) : [{ vision, classifications, objects, inhibit: false }];
  return services.map(({ vision: name, inhibit }) => {
    const same = services.filter((other) => other.vision === name && other.inhibit === inhibit);
    return {
      vision: name,
      inhibit,
      classifications: same.findLast((other) => other.classifications !== null)?.classifications ?? {},
      objects: same.findLast((other) => other.objects !== null)?.objects ?? {},
    };
  });
}
