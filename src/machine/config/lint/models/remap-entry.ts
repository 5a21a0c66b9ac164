import type { ConfigEntry } from '../../parse/config-entries.ts';
import { isObject } from '../../json/json-document.ts';
import type { JsonPath } from '../../json/json-path.ts';
import { attributeOf, visionServices, type LintContext } from '../rule/rule.ts';

const remapRoles = { input: ['image'], output: ['location', 'category', 'score', 'probability'] } as const;

/** One line of a remap: the model's tensor → the role that the machine gives it. */
export interface RemapEntry {
  readonly side: 'input' | 'output';
  readonly path: JsonPath;
  readonly tensor: string;
  readonly role: string;
  readonly roles: readonly string[];
  /** names of the model's tensors on that side; undefined where the model is not known */
  readonly tensors: readonly string[] | undefined;
  /** written role → tensor instead */
  readonly reversed: boolean;
}

/** A remap of a vision service with its lines. */
export interface ServiceRemap {
  readonly service: ConfigEntry;
  readonly side: 'input' | 'output';
  readonly path: JsonPath;
  readonly entries: readonly RemapEntry[];
}

export function remaps(context: LintContext): readonly ServiceRemap[] {
  return visionServices(context).flatMap((service) =>
    (['input', 'output'] as const).flatMap((side): ServiceRemap[] => {
      const attribute = attributeOf(service, `remap_${side}_names`);
      if (!attribute || !isObject(attribute.value)) return [];
      const facts = context.facts[service.name];
      const tensors = (side === 'input' ? facts?.inputs : facts?.outputs)?.map(({ name }) => name);
      const roles: readonly string[] = remapRoles[side];
      const entries = Object.entries(attribute.value).flatMap(([tensor, role]): RemapEntry[] => {
        if (typeof role !== 'string') return [];
        const reversed = roles.includes(tensor) && !roles.includes(role) && tensors?.includes(tensor) !== true;
        return [{ side, path: [...attribute.path, tensor], tensor, role, roles, tensors, reversed }];
      });
      return [{ service, side, path: attribute.path, entries }];
    }),
  );
}
