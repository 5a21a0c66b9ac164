import type { TensorInfo } from '../../vision/tensor/tensor.ts';
import { isObject, parseDocument, valueAt } from '../json/json-document.ts';
import { displayPath } from '../json/json-path.ts';
import { describeFinding } from './describe-finding.ts';
import type { LintFacts } from './rule/finding.ts';
import { lint } from './lint.ts';
import { applyFix } from './apply-fix.ts';

/**
 * Small configurations that the rules' tests are written in: a camera `webcam`, an ML model service `model`, and
 * the resource under test, whose attributes alone a table row shows.
 */
export interface Sample {
  readonly text: string;
  /** path of the attributes under test */
  readonly path: readonly (string | number)[];
}

/** A vision service `vision` with these attributes beside a valid model name. */
export function visionSample(attributes: unknown): Sample {
  const whole = isObject(attributes) ? { mlmodel_name: 'model', ...attributes } : attributes;
  const entry = { name: 'vision', api: 'rdk:service:vision', model: 'mlmodel', attributes: whole };
  return { text: machine([], [entry]), path: ['services', 1, 'attributes'] };
}

/** A colour detector `blue` with these attributes beside a valid colour and tolerance. */
export function colorSample(attributes: unknown): Sample {
  const whole = isObject(attributes) ? { ...validColor, ...attributes } : attributes;
  const entry = { name: 'blue', api: 'rdk:service:vision', model: 'color_detector', attributes: whole };
  return { text: machine([], [entry]), path: ['services', 1, 'attributes'] };
}

export const validColor = { detect_color: '#336699', hue_tolerance_pct: 0.1 };

/** A transform camera `tuned` on `webcam`, beside a vision service `vision`. */
export function cameraSample(attributes: unknown): Sample {
  const whole = isObject(attributes) ? { source: 'webcam', pipeline: [{ type: '' }], ...attributes } : attributes;
  const entry = { name: 'tuned', api: 'rdk:component:camera', model: 'transform', attributes: whole };
  const vision = { name: 'vision', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } };
  return { text: machine([entry], [vision]), path: ['components', 1, 'attributes'] };
}

/** A filtered camera `kept` on `webcam`, beside a vision service `vision`. */
export function filterSample(attributes: unknown): Sample {
  const whole = isObject(attributes) ? { ...validFilter, ...attributes } : attributes;
  const entry = { name: 'kept', api: 'rdk:component:camera', model: 'viam:camera:filtered-camera', attributes: whole };
  const vision = { name: 'vision', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } };
  return { text: machine([entry], [vision]), path: ['components', 1, 'attributes'] };
}

/** A conditional camera `kept` on `webcam`, beside a generic service `gate`. */
export function conditionalSample(attributes: unknown): Sample {
  const whole = isObject(attributes) ? { ...validConditional, ...attributes } : attributes;
  const model = 'viam:camera:conditional-camera';
  const entry = { name: 'kept', api: 'rdk:component:camera', model, attributes: whole };
  const gate = { name: 'gate', api: 'rdk:service:generic', model: 'acme:demo:gate', attributes: {} };
  return { text: machine([entry], [gate]), path: ['components', 1, 'attributes'] };
}

export const validConditional = { camera: 'webcam', filter_service: 'gate', window_seconds_before: 2 };

export const validFilter = {
  camera: 'webcam',
  vision_services: [{ vision: 'vision', objects: { dog: 0.5 } }],
  window_seconds_before: 2,
};

/** A transform camera with one step. */
export function stepSample(type: string, attributes: unknown): Sample {
  const { text } = cameraSample({ pipeline: [{ type, attributes }] });
  return { text, path: ['components', 1, 'attributes', 'pipeline', 0, 'attributes'] };
}

/** Without other attributes the ML model service names a label file. */
export function machine(
  cameras: readonly unknown[],
  services: readonly unknown[],
  attributes: object = { label_path: 'labels.txt' },
): string {
  const webcam = { name: 'webcam', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
  const model = { name: 'model', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes };
  return JSON.stringify({ components: [webcam, ...cameras], services: [model, ...services] }, null, 2);
}

/** The findings of one rule as `severity path`, the path from the attributes under test on. */
export function found(code: string, { text, path }: Sample, facts?: LintFacts): readonly string[] {
  const prefix = displayPath(path);
  return lint(text, facts)
    .filter((finding) => finding.code === code)
    .map((finding) =>
      `${finding.severity} ${describeFinding(finding, text).path.replace(prefix, '').replace(/^\./, '')}`.trim(),
    );
}

/** The value under test after every fix of the rule, one after the other; undefined where it was removed. */
export function fixed(code: string, { text, path }: Sample, facts?: LintFacts): unknown {
  return valueAt(parseDocument(fixedText(code, text, facts)), path);
}

export function fixedText(code: string, text: string, facts?: LintFacts): string {
  const fix = lint(text, facts).find((finding) => finding.code === code && finding.fix)?.fix;
  return fix === undefined ? text : fixedText(code, applyFix(text, fix), facts);
}

/** A row of a rule's table: what is tried, the attributes, the findings, and the attributes after every fix. */
export type Row = [title: string, attributes: unknown, findings: string[], afterFix: unknown];

/** A float32 tensor of a model under test. */
export function tensor(name: string, ...shape: readonly number[]): TensorInfo {
  return { name, dtype: 'float32', shape, symbols: shape.map(() => null) };
}
