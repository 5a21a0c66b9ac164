import { captureParameter, visionCaptures } from '../../edit/data-capture.ts';
import { recorders } from '../../edit/recorder.ts';
import { nearestCleanCamera } from '../../parse/upstream-cameras.ts';
import { attributeOf, seeingServices, setFix, type LintContext, type Rule, type Written } from '../rule/rule.ts';

/** A default or captured camera whose frames already carry drawn boxes or labels: the service would look at its own marks. */
export const cameraDraws: Rule = {
  code: 'camera-draws',
  *check(context) {
    for (const camera of [...defaultCameras(context), ...capturedCameras(context)]) {
      if (typeof camera.value !== 'string' || camera.value === '') continue;
      const clean = nearestCleanCamera(context.entries, camera.value);
      if (clean === camera.value) continue;
      yield {
        path: camera.path,
        severity: 'warning',
        message: `Frames of ${camera.value} already carry drawn detections or classifications, which the service would see.`,
        ...(clean !== null && { fix: setFix(context, `Use "${clean}"`, camera.path, clean) }),
      };
    }
  },
};

/** A recorder's does not count where its capture names a camera: nothing else asks a recorder. */
function defaultCameras(context: LintContext): readonly Written[] {
  const unread = recorders(context.document)
    .filter(({ capture }) => captureParameter(capture, 'camera_name').value !== '')
    .map(({ name }) => name);
  return seeingServices(context).flatMap((service) => {
    const camera = attributeOf(service, 'camera_name');
    return camera && !unread.includes(service.name) ? [camera] : [];
  });
}

function capturedCameras({ document }: LintContext): readonly Written[] {
  return visionCaptures(document)
    .filter(({ service }) => service.kind !== 'other-vision')
    .map((capture) => captureParameter(capture, 'camera_name'));
}
