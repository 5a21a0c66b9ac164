import { anyVision, findEntry, type ConfigEntry, type EntryKind } from '../../parse/config-entries.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import {
  attributeOf,
  filteredCameras,
  filterServices,
  setFix,
  written,
  type Rule,
  type Written,
} from '../rule/rule.ts';

/** A filtered camera that asks a vision service which the machine does not have: it is never built. */
export const filterService: Rule = {
  code: 'filter-service',
  *check(context) {
    if (!context.closed) return;
    const names = context.entries.filter((entry) => isVision(entry) && entry.name !== '').map(({ name }) => name);
    for (const camera of filteredCameras(context)) {
      for (const { path, value } of namesIn(camera)) {
        if (typeof value !== 'string' || value === '' || findEntry(context.entries, value, ...anyVision)) continue;
        const near = names.length === 1 ? names[0] : didYouMean(value, names);
        yield {
          path,
          severity: 'warning', // a module may bring the service
          message: `No vision service is named "${value}": the machine does not build ${camera.name || 'the camera'}.${suggestion(near)}`,
          ...(near && { fix: setFix(context, `Use "${near}"`, path, near) }),
        };
      }
    }
  },
};

export const isVision = ({ kind }: ConfigEntry): boolean => (anyVision as readonly EntryKind[]).includes(kind);

function namesIn(camera: ConfigEntry): readonly Written[] {
  const services = filterServices(camera).flatMap(({ path, object }) => written(object, path, 'vision') ?? []);
  return [...services, ...[attributeOf(camera, 'vision') ?? []].flat()];
}
