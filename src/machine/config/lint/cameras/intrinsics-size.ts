import { isObject } from '../../json/json-document.ts';
import { attributeOf, removeFix, setFix, transformCameras, written, type Rule } from '../rule/rule.ts';

/** Image sizes in the camera model that are negative, or so large that they become it: the machine refuses the camera. */
export const intrinsicsSize: Rule = {
  code: 'intrinsics-size',
  *check(context) {
    for (const camera of transformCameras(context)) {
      const intrinsics = attributeOf(camera, 'intrinsic_parameters');
      if (!intrinsics || !isObject(intrinsics.value)) continue;
      for (const key of ['width_px', 'height_px']) {
        const size = written(intrinsics.value, intrinsics.path, key);
        if (!size || typeof size.value !== 'number') continue;
        const isTooLarge = size.value >= 2 ** 63;
        if (Math.trunc(size.value) >= 0 && !isTooLarge) continue;
        yield {
          path: size.path,
          severity: 'error',
          message: isTooLarge
            ? `${key} does not fit into 64 bits and becomes a negative number there, got ${size.value}.`
            : `${key} cannot be negative, got ${size.value}.`,
          fix:
            isTooLarge || size.value < -(2 ** 62)
              ? removeFix(context, 'Remove it', size.path)
              : setFix(context, `Write ${-size.value}`, size.path, -size.value),
        };
      }
    }
  },
};
