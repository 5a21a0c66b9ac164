import { anyCamera, findEntry, isCamera } from '../../parse/config-entries.ts';
import { upstreamCameras } from '../../parse/upstream-cameras.ts';
import { wholenessOf } from '../../parse/wholeness.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { attributeOf, conditionalCameras, filteredCameras, setFix, transformCameras, type Rule } from '../rule/rule.ts';

/** A transform, filtered or conditional camera whose frames come from nowhere: no source, one that does not exist, or itself. */
export const cameraSource: Rule = {
  code: 'camera-source',
  *check(context) {
    const { entries } = context;
    const { whole } = wholenessOf(context.document);
    for (const camera of [...transformCameras(context), ...filteredCameras(context), ...conditionalCameras(context)]) {
      const isFiltered = camera.kind !== 'transform-camera';
      const key = isFiltered ? 'camera' : 'source';
      const attribute = attributeOf(camera, key);
      const source = attribute?.value ?? '';
      if (typeof source !== 'string' || (isFiltered && source === '')) continue; // see filter-refused, conditional-camera
      const exists = findEntry(entries, source, ...anyCamera) !== undefined;
      const circular = exists && upstreamCameras(entries, camera.name).circular;
      if (source !== '' && ((exists && !circular) || (!exists && !context.closed))) continue;
      const usable = entries
        .filter(({ kind, name }) => name !== '' && isCamera(kind))
        .map(({ name }) => name)
        .filter((name) => {
          const upstream = upstreamCameras(entries, name);
          return !upstream.circular && !upstream.entries.some((link) => link.name === camera.name);
        });
      const near = usable.length === 1 ? usable[0] : didYouMean(source, usable);
      const path = attribute?.path ?? [...camera.attributesPath, key];
      yield {
        path,
        severity: source === '' || circular || whole ? 'error' : 'warning',
        message:
          source === ''
            ? 'A transform camera needs a source camera.'
            : circular
              ? `The frames of ${camera.name || 'this camera'} come round in a circle and never from a real camera.`
              : `No camera is named "${source}".${suggestion(near)}`,
        ...(near && { fix: setFix(context, `Use "${near}"`, path, near) }),
      };
    }
  },
};
