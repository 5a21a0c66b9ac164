import { describe, expect, it } from 'vitest';
import { stepSummary } from './step-summary.ts';

describe('stepSummary', () => {
  it.each([
    ['crop', { x_min_px: 0.1, y_min_px: 0, x_max_px: 0.9, y_max_px: 1 }, '0.1, 0 – 0.9, 1'],
    ['crop', { X_MAX_PX: 64, y_max_px: 48, overlay_crop_box: true }, '0, 0 – 64, 48 px, drawn'],
    ['resize', { width_px: 640, height_px: 480 }, '640 × 480 px'],
    ['rotate', { angle_degs: 90 }, '90° clockwise'],
    ['rotate', { angle_deg: 90 }, '180° clockwise'],
    ['rotate', { angle_degs: null }, '0° clockwise'],
    ['detections', { detector_name: 'd', valid_labels: ['cat'] }, 'd ≥ 0, only cat'],
    ['classifications', { classifier_name: 'c', confidence_threshold: 0.5 }, 'c, best 1 ≥ 0.5'],
    ['undistort', {}, 'unknown to the machine'],
    ['', {}, 'passes the frame unchanged'],
  ])('%s %o', (type, attributes, expected) => {
    expect(stepSummary(type, { type, attributes })).toBe(expected);
  });
});
