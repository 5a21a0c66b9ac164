import { dataManagers, keepsPictures, visionCaptures } from '../../edit/data-capture.ts';
import { attributeOf, removeFix, type Rule } from '../rule/rule.ts';

/** Settings of the data manager with which captured pictures stay on the machine's disk, or fill it. */
export const captureDisk: Rule = {
  code: 'capture-disk',
  *check(context) {
    const [manager] = dataManagers(context.document);
    if (!manager || !visionCaptures(context.document).some(keepsPictures)) return;
    const off = attributeOf(manager, 'sync_disabled');
    if (off?.value === true) {
      yield {
        path: off.path,
        severity: 'warning',
        message:
          'Nothing is uploaded while sync_disabled is true: pictures stay on the machine. When its disk is nearly full, it deletes a part of them.',
        fix: removeFix(context, 'Upload them', off.path),
      };
    }
    for (const key of ['disk_usage_deletion_threshold', 'capture_dir_deletion_threshold']) {
      const attribute = attributeOf(manager, key);
      if (typeof attribute?.value !== 'number' || attribute.value < 1) continue;
      yield {
        path: attribute.path,
        severity: 'warning',
        message: `The disk of the machine fills up with pictures when they cannot be uploaded: with a ${key} of ${attribute.value} it deletes none.`,
        fix: removeFix(context, "Use the machine's default", attribute.path),
      };
    }
    const limit = attributeOf(manager, 'maximum_capture_file_size_bytes');
    if (typeof limit?.value !== 'number' || limit.value <= 0) return;
    yield {
      path: limit.path,
      severity: 'info',
      message: 'maximum_capture_file_size_bytes limits readings only: each picture is a file of its own, of any size.',
    };
  },
};
