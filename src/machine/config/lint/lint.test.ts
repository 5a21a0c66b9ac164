import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';
import { sampleConfigText } from '../share/sample-config.ts';
import { describeFinding } from './describe-finding.ts';
import type { Finding, LintFacts } from './rule/finding.ts';
import { lint } from './lint.ts';
import { machine, tensor, visionSample } from './test-samples.ts';
import { applyFix } from './apply-fix.ts';
import { rules } from './rules.ts';

const facts: LintFacts = {
  v: {
    inputs: [tensor('input', 1, 3, 8, 8)],
    outputs: [tensor('boxes', 1, 9, 4), tensor('scores', 1, 9), tensor('score', 1, 9)],
    labels: ['dog', 'cat'],
    offeredLabels: ['dog', 'aeroplane'],
    modelFileName: 'yolo.onnx',
    labelsSeen: ['dog', 'cat'],
    modelBoxOrder: [0, 1, 2, 3],
  },
};

/** Keys and values that each rule looks for, put together at random. */
const number = fc.constantFrom(-1, 0, 0.25, 0.7, 1, 2, 90, 255.5, 1e9);
const value = fc.oneof(
  number,
  fc.constantFrom('', 'v', 'webcam', 'model', 'dog', '0.5', null, true),
  fc.array(number, { maxLength: 4 }),
);
const names = fc.dictionary(
  fc.constantFrom('boxes', 'scores', 'location', 'score', 'image', 'input', 'box'),
  fc.constantFrom('location', 'score', 'category', 'image', 'boxes', 'nothing'),
);
const labels = fc.dictionary(fc.constantFrom('dog', 'Dog', 'doog', 'aeroplane'), fc.oneof(number, fc.constant('x')));
const visionAttributes = fc.record(
  {
    mlmodel_name: value,
    camera_name: fc.constantFrom('webcam', 'tuned', 'tunde'),
    remap_input_names: names,
    remap_output_names: names,
    xmin_ymin_xmax_ymax_order: fc.array(fc.constantFrom(0, 1, 2, 3, 1.5), { maxLength: 5 }),
    input_image_mean_value: value,
    input_image_std_dev: value,
    input_image_bgr: value,
    default_minimum_confidence: value,
    label_confidences: labels,
    Label_Path: value,
    lable_path: value,
  },
  { requiredKeys: [] },
);
const colorAttributes = fc.record(
  {
    detect_color: fc.constantFrom('#336699', '336699', '#e52', '#888', '#ffd0d0', '', 7),
    hue_tolerance_pct: value,
    saturation_cutoff_pct: value,
    value_cutoff_pct: value,
    segment_size_px: value,
    camera_name: fc.constantFrom('webcam', 'tuned', 'tunde'),
    Label: value,
    labl: value,
  },
  { requiredKeys: [] },
);
const step = fc.record(
  {
    type: fc.constantFrom('crop', 'Crop', 'resize', 'rotate', 'detections', 'classifications', 'undistort', ''),
    attributes: fc.dictionary(
      fc.constantFrom(
        'x_min_px',
        'y_min_px',
        'x_max_px',
        'y_max_px',
        'width_px',
        'height_px',
        'angle_deg',
        'angle_degs',
        'Angle_Degs',
        'detector_name',
        'classifier_name',
        'confidence_threshold',
        'valid_labels',
        'max_classifications',
      ),
      value,
    ),
  },
  { requiredKeys: [] },
);
const cameraAttributes = fc.record(
  {
    source: fc.constantFrom('webcam', 'tuned', 'webcm', ''),
    pipeline: fc.array(step, { maxLength: 3 }),
    intrinsic_parameters: fc.dictionary(fc.constantFrom('width_px', 'height_px', 'fx', 'cx'), value),
  },
  { requiredKeys: [] },
);
const filterLines = fc.dictionary(fc.constantFrom('dog', '*'), fc.oneof(number, fc.constantFrom('x', null)));
const filterAttributes = fc.record(
  {
    camera: fc.constantFrom('webcam', 'tuned', 'kept', 'webcm', '', 7),
    vision: fc.constantFrom('', 'v', 'vv', null),
    vision_services: fc.option(
      fc.array(
        fc.record(
          {
            vision: fc.constantFrom('v', 'c', 'vv', ''),
            objects: fc.option(filterLines),
            Classifications: filterLines,
            inhibit: fc.constantFrom(true, false, 1),
            objcts: filterLines,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
    ),
    objects: fc.option(filterLines),
    window_seconds: fc.constantFrom(0, 0, 2, -1, 1.5),
    window_seconds_before: fc.constantFrom(0, 2, -1),
    Window_Seconds_After: fc.constantFrom(0, 0, 3),
    image_frequency: fc.constantFrom(0, -1, 0.1, 2000, '1'),
    cooldown_s: fc.constantFrom(0, 3, -1),
    inhibit: value,
  },
  { requiredKeys: [] },
);
const captureMethod = fc.record(
  {
    method: fc.constantFrom('CaptureAllFromCamera', 'GetDetections', 'DoCommand', 'ReadImage', 1),
    capture_frequency_hz: fc.constantFrom(-1, 0, 2, '2'),
    disabled: fc.constantFrom(true, false, 'no'),
    additional_params: fc.dictionary(
      fc.constantFrom('camera_name', 'min_confidence_score', 'recorder_of'),
      fc.constantFrom('webcam', 'kept', 'v', 'r', -1, 0, 0.3, 2),
    ),
  },
  { requiredKeys: [] },
);
const recordingMethod = fc.record({
  method: fc.constant('CaptureAllFromCamera'),
  capture_frequency_hz: fc.constantFrom(0, 2),
  additional_params: fc.record({
    camera_name: fc.constantFrom('webcam', 'tuned', ''),
    min_confidence_score: fc.constantFrom(0, 0.3),
    recorder_of: fc.constantFrom('v', 'gone'),
  }),
});
const dataManager = fc.dictionary(
  fc.constantFrom('capture_disabled', 'sync_disabled', 'disk_usage_deletion_threshold', 'capture_control_sensor'),
  fc.constantFrom(true, false, 0.5, 1, { name: 'switch', key: 'captures' }),
);
const anyConfig = fc
  .tuple(
    cameraAttributes,
    fc.tuple(visionAttributes, colorAttributes, filterAttributes),
    fc.constantFrom({}, { label_path: 'labels.txt' }),
    fc.array(fc.oneof(captureMethod, recordingMethod), { maxLength: 2 }),
    fc.array(dataManager, { maxLength: 2 }),
  )
  .map(([camera, [vision, color, filter], model, capture_methods, managers]) => {
    const service = { api: 'rdk:service:vision', model: 'mlmodel' };
    const recorder = { mlmodel_name: 'model', camera_name: 'webcam', default_minimum_confidence: 0.25 };
    const service_configs = [{ type: 'data_manager', attributes: { capture_methods } }];
    return machine(
      [
        { name: 'tuned', api: 'rdk:component:camera', model: 'transform', attributes: camera },
        {
          name: 'kept',
          api: 'rdk:component:camera',
          model: 'viam:camera:filtered-camera',
          attributes: filter,
          service_configs,
        },
      ],
      [
        { name: 'v', ...service, attributes: vision },
        { name: 'c', ...service, model: 'color_detector', attributes: color },
        { name: 'r', ...service, attributes: recorder, service_configs },
        ...managers.map((attributes, index) => ({
          name: `d${index}`,
          api: 'rdk:service:data_manager',
          model: 'builtin',
          attributes,
        })),
      ],
      model,
    );
  });

const alike = (a: Finding) => (b: Finding) => a.code === b.code && a.pointer === b.pointer && a.message === b.message;

describe('lint', () => {
  it('finds nothing in the configuration that the bench starts with', () => {
    expect(lint(sampleConfigText)).toEqual([]);
    expect(parseMachineConfig(sampleConfigText).problems).toEqual([]);
  });

  it('has rules under the names of their files, each once', () => {
    const codes = rules.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('takes every finding away by its own fix, whatever the configuration', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyConfig, (text) => {
        const findings = lint(text, facts);
        for (const finding of findings) {
          if (!finding.fix) continue;
          const mended = applyFix(text, finding.fix);
          expect(() => JSON.parse(mended) as unknown).not.toThrow();
          const left = lint(mended, facts).filter(alike(finding)).length;
          expect(left, `${finding.code} after "${finding.fix.title}"`).toBeLessThan(
            findings.filter(alike(finding)).length,
          );
        }
      }),
      { seed: 20261121, numRuns: 40 },
    );
  });

  it('says nothing twice, so that each finding has a place of its own in a list', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyConfig, (text) => {
        const said = lint(text, facts).map(({ code, pointer, message }) => [code, pointer, message].join(' '));
        expect(new Set(said).size).toBe(said.length);
      }),
      { seed: 20261121, numRuns: 100 },
    );
  });

  it('calls an error all that the machine cannot build', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(anyConfig, (text) => {
        if (parseMachineConfig(text).problems.length === 0) return;
        expect(lint(text).some(({ severity }) => severity === 'error')).toBe(true);
      }),
      { seed: 20261121, numRuns: 200 },
    );
  });

  it('stands any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        for (const { offset, length } of lint(text)) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(Math.max(text.length, offset));
        }
      }),
      { seed: 20261121 },
    );
  });

  it('underlines the value, or the key where the key is what is wrong', () => {
    const { text } = visionSample({ foo: 1, default_minimum_confidence: 50 });
    const marked = lint(text).map(({ offset, length }) => text.slice(offset, offset + length));
    expect(marked).toEqual(['"foo"', '50']);
  });

  it('prints a finding as the terminal does', () => {
    const { text } = visionSample({ default_minimum_confidence: 50 });
    const [finding] = lint(text);
    const lines = text.split('\n');
    const line = lines.findIndex((one) => one.includes('50'));
    expect(finding && describeFinding(finding, text)).toEqual({
      line: line + 1,
      column: lines[line]!.indexOf('50') + 1,
      path: 'services[1].attributes.default_minimum_confidence',
      severity: 'error',
      code: 'confidence-range',
      message: 'Scores run from 0 to 1: 50 drops them all.',
      fix: 'Write 0.5',
    });
  });
});
