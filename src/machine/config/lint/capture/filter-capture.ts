import {
  captureParameter,
  captureSetting,
  filterCaptures,
  filterOf,
  keepsPictures,
  visionCaptures,
} from '../../edit/data-capture.ts';
import { recorderParameter } from '../../edit/recorder.ts';
import { recordedCamera } from '../../parse/upstream-cameras.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** A capture that takes one image of the several that a filtered camera gives at a time. The others are lost. */
export const filterCapture: Rule = {
  code: 'filter-capture',
  *check(context) {
    for (const capture of filterCaptures(context.document)) {
      const { path, value } = captureSetting(capture, 'method');
      if (value !== 'ReadImage') continue;
      const message = `Of the images that ${capture.service.name} gives at a time, ReadImage keeps the first alone: the trigger is often lost.`;
      yield { path, severity: 'warning', message, fix: setFix(context, 'Write GetImages', path, 'GetImages') };
    }
    for (const capture of visionCaptures(context.document)) {
      if (!keepsPictures(capture)) continue;
      const filter = filterOf(context.entries, capture);
      if (!filter) continue;
      const { path } = captureSetting(capture, 'method');
      const message = `Not every frame is captured: ${filter.name} gives the images that it keeps, and ${capture.service.name} takes the first of each time alone.`;
      // Others may mean to keep what the filter keeps; a recorder is there for every frame.
      const isRecorder = typeof captureParameter(capture, recorderParameter).value === 'string';
      const whole = recordedCamera(context.entries, filter.name);
      const fix = setFix(context, `Record ${whole}`, captureParameter(capture, 'camera_name').path, whole);
      yield { path, severity: 'warning', message, ...(isRecorder && whole !== filter.name && { fix }) };
    }
  },
};
