import { isObject } from '../../json/json-document.ts';
import { decodeFilteredCamera } from '../../parse/parse-filtered-camera.ts';
import { filterRule } from '../../../vision/face/filtered-cameras.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import {
  attributeOf,
  filteredCameras,
  filterServices,
  removeFix,
  setFix,
  written,
  type LintContext,
  type Report,
  type Rule,
  type WrittenFilterService,
} from '../rule/rule.ts';

const maps = ['classifications', 'objects'] as const;

/** What a filtered camera accepts and does otherwise than it reads: a line that never lets anything through, a buffer of nothing. */
export const filterSilent: Rule = {
  code: 'filter-silent',
  *check(context) {
    for (const camera of filteredCameras(context)) {
      const { value, errors } = decodeFilteredCamera(camera.attributes);
      const rule = errors.length > 0 ? null : filterRule(value);
      if (!rule || 'code' in rule) continue;
      const services = filterServices(camera);
      if (rule.acceptors.length === 0) {
        yield {
          path: attributeOf(camera, 'vision_services')!.path,
          severity: 'warning',
          message: `No vision service accepts: every image triggers${rule.inhibitors.length > 0 ? ' that none inhibits' : ''}.`,
        };
      }
      const asked = [...rule.inhibitors, ...rule.acceptors].filter(
        ({ classifications, objects }) => Object.keys({ ...classifications, ...objects }).length > 0,
      );
      for (const service of services) {
        yield* lines(context, service, services);
        const { vision, inhibit } = decodeService(service);
        if (asked.some((one) => one.vision === vision && one.inhibit === inhibit)) continue;
        yield {
          path: service.path,
          severity: 'warning',
          message: `"${vision}" is asked for nothing, so it ${inhibit ? 'holds nothing back' : 'lets nothing through'}: give it objects or classifications.`,
        };
      }
      yield* buffer(context, camera, rule);
    }
  },
};

function* lines(
  context: LintContext,
  { path, object }: WrittenFilterService,
  services: readonly WrittenFilterService[],
): Iterable<Report> {
  const { vision: name, inhibit } = decodeService({ path, object });
  const same = services.filter((other) => {
    const decoded = decodeService(other);
    return decoded.vision === name && decoded.inhibit === inhibit;
  });
  for (const key of maps) {
    const map = written(object, path, key);
    if (!isObject(map?.value)) continue;
    const last = same.findLast((other) => isObject(written(other.object, other.path, key)?.value));
    if (last!.path !== path) {
      const message = `The machine ignores this: of several ${key} for "${name}", the last counts.`;
      yield {
        path: map.path,
        onKey: true,
        severity: 'warning',
        message,
        fix: removeFix(context, 'Remove it', map.path),
      };
      continue;
    }
    for (const [label, score] of Object.entries(map.value)) {
      if (typeof score !== 'number' || score < 1) continue;
      yield {
        path: [...map.path, label],
        severity: 'warning',
        message: `No score exceeds ${score}: this line does nothing.`,
        fix: setFix(context, 'Write 0.5', [...map.path, label], 0.5),
      };
    }
  }
}

function decodeService({ object, path }: WrittenFilterService): {
  readonly vision: unknown;
  readonly inhibit: boolean;
} {
  return { vision: written(object, path, 'vision')?.value, inhibit: written(object, path, 'inhibit')?.value === true };
}

function* buffer(
  context: LintContext,
  camera: ConfigEntry,
  { imageFrequencyHz, ringSize, beforeMs }: { imageFrequencyHz: number; ringSize: number; beforeMs: number },
): Iterable<Report> {
  const frequency = attributeOf(camera, 'image_frequency');
  if (!frequency) return;
  const { path } = frequency;
  if (imageFrequencyHz > 1000) {
    const message = `The module takes no image into its buffer at ${imageFrequencyHz} a second: 1000 is the most.`;
    yield { path, severity: 'warning', message, fix: setFix(context, 'Write 1000', path, 1000) };
  } else if (beforeMs > 0 && ringSize === 0) {
    const message = `The buffer has no room at ${imageFrequencyHz} images a second: nothing before a trigger is kept.`;
    yield { path, severity: 'warning', message, fix: setFix(context, 'Write 1', path, 1) };
  }
}
