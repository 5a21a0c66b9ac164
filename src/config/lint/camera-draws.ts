import { nearestCleanCamera } from '../upstream-cameras.ts';
import { attributeOf, setFix, visionServices, type Rule } from './rule.ts';

/** A default camera whose frames already carry drawn boxes or labels: the model would look at its own marks. */
export const cameraDraws: Rule = {
  code: 'camera-draws',
  *check(context) {
    for (const service of visionServices(context)) {
      const camera = attributeOf(service, 'camera_name');
      if (!camera || typeof camera.value !== 'string' || camera.value === '') continue;
      const clean = nearestCleanCamera(context.entries, camera.value);
      if (clean === camera.value) continue;
      yield {
        path: camera.path,
        severity: 'warning',
        message: `Frames of ${camera.value} already carry drawn detections or classifications, which the model would see.`,
        ...(clean !== null && { fix: setFix(context, `Use "${clean}"`, camera.path, clean) }),
      };
    }
  },
};
