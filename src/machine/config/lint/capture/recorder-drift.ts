import { readAttribute } from '../../edit/edit-config.ts';
import { copyAgain, removeRecorder } from '../../edit/edit-recorder.ts';
import { copiedService, driftedKeys, recorderParameter, recorders, type Recorder } from '../../edit/recorder.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import { captureParameter } from '../../edit/data-capture.ts';
import { recordedCamera } from '../../parse/upstream-cameras.ts';
import { rewriteFix, type LintContext, type Rule } from '../rule/rule.ts';

/** A recorder that is no copy any more of the service that it records for. */
export const recorderDrift: Rule = {
  code: 'recorder-drift',
  *check(context) {
    for (const recorder of recorders(context.document)) {
      const { name, of, capture } = recorder;
      const copied = copiedService(context.document, recorder);
      if (!copied) {
        yield {
          path: captureParameter(capture, recorderParameter).path,
          severity: 'warning',
          message: `${name} records for "${of}", which is not a vision service here.`,
          fix: rewriteFix(context, 'Stop recording', (text) => removeRecorder(text, recorder)),
        };
        continue;
      }
      const differences = differencesOf(context, copied, recorder);
      if (differences.length === 0) continue;
      yield {
        path: capture.service.path,
        severity: 'warning',
        message: `${name} is no longer a copy of ${of}: they differ in ${differences.join(', ')}. What it records is not what ${of} sees.`,
        fix: rewriteFix(context, `Copy ${of} again`, (text) => copyAgain(text, recorder)),
      };
    }
  },
};

function differencesOf(
  { entries }: LintContext,
  copied: ConfigEntry,
  { capture, camera }: Recorder,
): readonly string[] {
  const own = readAttribute(copied, 'camera_name');
  const isNamed = typeof own === 'string' && own !== '';
  // Where the service's camera draws, or keeps only some frames, the one before it is recorded.
  const isOtherCamera = isNamed && camera !== own && camera !== recordedCamera(entries, own);
  const keys = driftedKeys(copied, capture.service);
  return isOtherCamera && !keys.includes('camera_name') ? [...keys, 'the camera that is captured'] : keys;
}
