import { anyCamera, findEntry, isCamera } from '../../parse/config-entries.ts';
import { wholenessOf } from '../../parse/wholeness.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { attributeOf, removeFix, seeingServices, setFix, type Rule } from '../rule/rule.ts';

/** A default camera that the text does not show: where the machine has none either, it does not build the service. */
export const cameraName: Rule = {
  code: 'camera-name',
  *check(context) {
    const wholeness = wholenessOf(context.document);
    const cameras = context.entries.filter(({ kind, name }) => name !== '' && isCamera(kind)).map(({ name }) => name);
    for (const service of seeingServices(context)) {
      const attribute = attributeOf(service, 'camera_name');
      if (!attribute || typeof attribute.value !== 'string' || attribute.value === '') continue;
      const name = attribute.value;
      if (findEntry(context.entries, name, ...anyCamera)) continue;
      const near = cameras.length === 1 ? cameras[0] : didYouMean(name, cameras);
      yield {
        path: attribute.path,
        severity: wholeness.whole ? 'error' : 'warning',
        message: wholeness.whole
          ? `No camera is named "${name}": the machine does not build ${service.name || 'the service'}.${suggestion(near)}`
          : `No camera here is named "${name}"; that is only a warning because ${wholeness.because}.${suggestion(near)}`,
        fix: near
          ? setFix(context, `Use "${near}"`, attribute.path, near)
          : removeFix(context, 'Use no default camera', attribute.path),
      };
    }
  },
};
