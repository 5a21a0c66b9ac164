import { describe, expect, it } from 'vitest';
import { stepRecords, stepTypes } from '../../../../machine/config/parse/transform-steps.ts';
import { fieldRows } from './field-rows.ts';

const keys = (type: keyof typeof stepRecords) =>
  fieldRows(stepRecords[type].attributes).map((row) => row.map(({ key }) => key));

describe('fieldRows', () => {
  it.each([
    ['resize', [['width_px', 'height_px']]],
    ['rotate', [['angle_degs']]],
    ['detections', [['detector_name'], ['confidence_threshold'], ['valid_labels']]],
    ['classifications', [['classifier_name'], ['confidence_threshold', 'max_classifications'], ['valid_labels']]],
  ] as const)('lays out the form of %s', (type, rows) => {
    expect(keys(type)).toEqual(rows);
  });

  it.each(stepTypes)('leaves no attribute of %s out', (type) => {
    expect(keys(type).flat()).toEqual(Object.keys(stepRecords[type].fields));
  });
});
