import { findEntry } from '../config-entries.ts';
import { didYouMean, suggestion } from './did-you-mean.ts';
import { attributeOf, removeFix, setFix, visionServices, type Rule } from './rule.ts';

/** A default camera that the text does not show: where the machine has none either, requests without a camera fail. */
export const cameraName: Rule = {
  code: 'camera-name',
  *check(context) {
    const cameras = context.entries
      .filter(({ kind, name }) => name !== '' && (kind === 'source-camera' || kind === 'transform-camera'))
      .map(({ name }) => name);
    for (const service of visionServices(context)) {
      const attribute = attributeOf(service, 'camera_name');
      if (!attribute || typeof attribute.value !== 'string' || attribute.value === '' || !context.closed) continue;
      const name = attribute.value;
      if (findEntry(context.entries, name, 'source-camera', 'transform-camera')) continue;
      const near = cameras.length === 1 ? cameras[0] : didYouMean(name, cameras);
      yield {
        path: attribute.path,
        severity: 'warning', // a module may bring the camera
        message: `No camera is named "${name}".${suggestion(near)}`,
        fix: near
          ? setFix(context, `Use "${near}"`, attribute.path, near)
          : removeFix(context, 'Use no default camera', attribute.path),
      };
    }
  },
};
