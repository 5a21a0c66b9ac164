import { isObject } from '../json-document.ts';
import { attributeOf, setFix, transformCameras, written, type Rule } from './rule.ts';

/** Negative image sizes in the camera model: the machine refuses the camera. */
export const intrinsicsSize: Rule = {
  code: 'intrinsics-size',
  *check(context) {
    for (const camera of transformCameras(context)) {
      const intrinsics = attributeOf(camera, 'intrinsic_parameters');
      if (!intrinsics || !isObject(intrinsics.value)) continue;
      for (const key of ['width_px', 'height_px']) {
        const size = written(intrinsics.value, intrinsics.path, key);
        if (!size || typeof size.value !== 'number' || Math.trunc(size.value) >= 0) continue;
        yield {
          path: size.path,
          severity: 'error',
          message: `${key} cannot be negative, got ${size.value}.`,
          fix: setFix(context, `Write ${-size.value}`, size.path, -size.value),
        };
      }
    }
  },
};
