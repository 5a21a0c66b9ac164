import { attributeOf, visionServices, type LintContext } from '../rule/rule.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import type { JsonPath } from '../../json/json-path.ts';

export const normalizationKeys = ['input_image_mean_value', 'input_image_std_dev'] as const;

/** A mean or standard deviation that is a non-empty list of numbers. */
export interface WrittenNormalization {
  readonly service: ConfigEntry;
  readonly key: (typeof normalizationKeys)[number];
  readonly path: JsonPath;
  readonly values: readonly number[];
}

export function normalizations(context: LintContext): readonly WrittenNormalization[] {
  return visionServices(context).flatMap((service) =>
    normalizationKeys.flatMap((key): WrittenNormalization[] => {
      const attribute = attributeOf(service, key);
      const list: unknown = attribute?.value;
      if (!attribute || !Array.isArray(list) || list.length === 0) return [];
      const values = list.filter((value): value is number => typeof value === 'number');
      return values.length === list.length ? [{ service, key, path: attribute.path, values }] : [];
    }),
  );
}
