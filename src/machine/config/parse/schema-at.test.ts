import { describe, expect, it } from 'vitest';
import * as schema from './config-schema.ts';
import { parseDocument } from '../json/json-document.ts';
import { setAt } from '../json/edit-json.ts';
import { filterSample } from '../lint/test-samples.ts';
import { sampleConfigText } from '../share/sample-config.ts';
import { attributeSchemaAt, missingAttributes, objectSchemaAt, valueSuggestions } from './schema-at.ts';
import { stepRecords } from './transform-steps.ts';

const vision = ['services', 1, 'attributes'];
const camera = ['components', 1, 'attributes'];
const text = setAt(sampleConfigText, [...camera, 'pipeline', 0], { type: 'crop', attributes: { X_Min_Px: 0 } });
const document = parseDocument(text);

describe('objectSchemaAt', () => {
  it.each([
    [vision, schema.mlmodelSchema],
    [camera, schema.transformCameraSchema],
    [[...camera, 'intrinsic_parameters'], schema.intrinsicSchema],
    [[...camera, 'distortion_parameters'], schema.distortionSchema],
    [[...camera, 'pipeline', 0], schema.stepSchema],
    [[...camera, 'pipeline', 0, 'attributes'], stepRecords.crop],
    [['components', 0, 'attributes'], undefined],
    [[...vision, 'label_confidences'], undefined],
    [[], undefined],
  ])('%j', (path, expected) => {
    expect(objectSchemaAt(document, path)).toBe(expected);
  });
});

describe('of a filtered camera', () => {
  const filtered = filterSample({ Cooldown_s: 1 });
  const document = parseDocument(filtered.text);
  const service = [...filtered.path, 'vision_services', 0];

  it.each([
    [filtered.path, schema.filteredCameraSchema],
    [service, schema.filterServiceSchema],
    [[...filtered.path, 'vision_services'], undefined],
    [[...filtered.path, 'objects', 0], undefined],
    [[...service, 'objects'], undefined],
  ])('%j', (path, expected) => {
    expect(objectSchemaAt(document, path)).toBe(expected);
  });

  it('offers what is missing, and names', () => {
    const missing = missingAttributes(document, filtered.path).map(({ key }) => key);
    expect(missing).not.toContain('cooldown_s');
    expect(missing).toContain('window_seconds_after');
    expect(missingAttributes(document, service).map(({ key }) => key)).toEqual(['classifications', 'inhibit']);
    expect(valueSuggestions(filtered.text, [...filtered.path, 'camera'])).toEqual(['webcam']);
    expect(valueSuggestions(filtered.text, [...service, 'vision'])).toEqual(['vision']);
  });
});

describe('completion', () => {
  it('offers the attributes that are missing, in any case', () => {
    const keys = missingAttributes(document, [...camera, 'pipeline', 0, 'attributes']).map(({ key }) => key);
    expect(keys).toEqual(['y_min_px', 'x_max_px', 'y_max_px', 'overlay_crop_box']);
  });

  it.each([
    [
      [...vision, 'camera_name'],
      ['webcam', 'tuned-camera'],
    ],
    [[...camera, 'source'], ['webcam']],
    [[...vision, 'mlmodel_name'], ['detector-model']],
    [
      [...vision, 'input_image_bgr'],
      [true, false],
    ],
    [
      [...camera, 'pipeline', 0, 'type'],
      ['crop', 'resize', 'rotate', 'detections', 'classifications'],
    ],
    [['name'], []],
  ])('offers values for %j', (path, expected) => {
    expect(valueSuggestions(text, path)).toEqual(expected);
  });

  it('describes an attribute for hover', () => {
    expect(attributeSchemaAt(document, [...vision, 'Label_Path'])?.doc).toContain('Label file');
    expect(attributeSchemaAt(document, [...vision, 'foo'])).toBeUndefined();
  });
});
