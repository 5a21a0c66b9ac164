import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findEntry, listEntries } from '../parse/config-entries.ts';
import * as edit from '../edit/edit-config.ts';
import { changedResources, exportChangedEntries, exportPatch, exportWhole } from './export-config.ts';
import { importConfig } from './import-config.ts';
import { nodeAt, parseDocument } from '../json/json-document.ts';
import { pointerOf } from '../json/json-path.ts';

/** JSON texts as people and other programs write them: odd spacing, numbers and escapes, members that nobody knows. */
const space = fc.constantFrom('', '', ' ', '\n', '\r\n  ', '\t', '\n      ');
const number = fc.constantFrom('0', '-0', '1.0e1', '0.50', '100.00', '1E-3', '0.1000000000000000055', '1e400', '12345678901234567890'); // prettier-ignore
const text = fc.constantFrom('"a"', '""', '"\\u00fc"', '"ü\\/\\n"', '"${packages.ml_model.p}/m.onnx"', '"😀"');
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    fc.constantFrom('true', 'false', 'null'),
    list(fc.array(tie('value'), { maxLength: 3 })),
    object(fc.array(fc.tuple(text, tie('value')), { maxLength: 3 })),
  ),
})).value;

function list(items: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return fc.tuple(items, space, space).map(([all, a, b]) => `[${a}${all.join(`${b},${a}`)}${b}]`);
}

function object(members: fc.Arbitrary<readonly (readonly [string, string])[]>): fc.Arbitrary<string> {
  return fc
    .tuple(members, space, space, space)
    .map(([all, a, b, c]) => `{${a}${all.map(([key, one]) => `${key}${c}:${a}${one}`).join(`${b},${a}`)}${b}}`);
}

const oneOf = (...keys: readonly string[]) => fc.constantFrom(...keys.map((key) => JSON.stringify(key)));
const extra = fc.array(fc.tuple(oneOf('notes', 'ui', 'depends_on', 'log_configuration'), value), { maxLength: 2 });

const visionMembers = fc
  .record(
    {
      mlmodel_name: fc.constant('"m"'),
      camera_name: oneOf('cam', 'drawn', 'gone'),
      default_minimum_confidence: number,
      label_confidences: object(fc.array(fc.tuple(oneOf('dog', 'Dog', 'cat'), number), { maxLength: 3 })),
      Input_Image_BGR: fc.constantFrom('true', 'null'),
      input_image_mean_value: list(fc.array(number, { minLength: 3, maxLength: 3 })),
      remap_output_names: object(fc.array(fc.tuple(oneOf('boxes', 'scores'), text), { maxLength: 2 })),
    },
    { requiredKeys: ['mlmodel_name'] },
  )
  .map((members) => Object.entries(members).map(([key, one]) => [JSON.stringify(key), one] as const));

function entry(name: string, api: string, model: string, attributes: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = attributes.map((written) => [
    ['"name"', JSON.stringify(name)] as const,
    ['"api"', JSON.stringify(api)] as const,
    ['"model"', JSON.stringify(model)] as const,
    ['"attributes"', written] as const,
  ]);
  return object(fc.tuple(known, extra).map(([members, more]) => [...members, ...more]));
}

const drawing = fc.constant('{"source":"cam","pipeline":[{"type":"detections","attributes":{"detector_name":"v"}}]}');
const vision = entry(
  'v',
  'rdk:service:vision',
  'mlmodel',
  object(fc.tuple(visionMembers, extra).map(([members, more]) => [...members, ...more])),
);
const components = list(
  fc.tuple(
    entry('cam', 'rdk:component:camera', 'webcam', value),
    entry('drawn', 'rdk:component:camera', 'transform', drawing),
    value,
  ),
);
const services = list(
  fc.tuple(vision, entry('m', 'rdk:service:mlmodel', 'viam:mlmodel:onnx-cpu', value), value, value),
);
const machine = object(
  fc.tuple(components, services, extra, fc.boolean()).map(([cameras, all, more, servicesFirst]) => {
    const sections = [['"components"', cameras] as const, ['"services"', all] as const];
    return [...more.slice(0, 1), ...(servicesFirst ? sections.toReversed() : sections), ...more.slice(1)];
  }),
);

describe('an imported configuration', () => {
  it('is exported as it came in, in every form, where nothing was edited', () => {
    fc.assert(
      fc.property(fc.tuple(space, machine, space), fc.constantFrom(undefined, ['v'], []), (parts, tuned) => {
        const imported = parts.join('');
        const options = tuned && { tuned };
        expect(importConfig(imported)).toEqual({ text: imported, pastedAs: 'machine' });
        expect(exportWhole(imported, options).text).toBe(imported);
        expect(exportChangedEntries(imported, imported, options).text.trim()).toBe('{}');
        expect(exportPatch(imported, imported, options).operations).toEqual([]);
        expect(changedResources(imported, imported)).toEqual([]);
      }),
      { seed: 20261129, numRuns: 150 },
    );
  });

  const edits: Readonly<Record<string, (text: string) => string>> = {
    default_minimum_confidence: (text) => edit.setDefaultConfidence(text, 'v', 0.123),
    label_confidences: (text) => edit.setLabelConfidence(text, 'v', 'dog', 0.123),
    input_image_bgr: (text) => edit.setBgr(text, 'v', true),
    camera_name: (text) => edit.setCameraName(text, 'v', 'cam-2'),
    xmin_ymin_xmax_ymax_order: (text) => edit.setBoxOrder(text, 'v', [0, 1, 2, 3]),
    remap_output_names: (text) => edit.setRemap(text, 'v', 'output', { boxes: 'location' }),
  };

  it('is changed by an edit in the place that the edit says, and nowhere else', () => {
    fc.assert(
      fc.property(machine, fc.constantFrom(...Object.keys(edits)), (imported, name) => {
        const before = findEntry(listEntries(parseDocument(imported)), 'v', 'mlmodel-vision')!;
        const edited = edits[name]!(imported);
        const place = pointerOf(edit.attributePath(before, name));
        const { operations } = exportPatch(imported, edited);
        for (const { path } of operations)
          expect(`${path}/`.startsWith(`${place}/`) || place.startsWith(path)).toBe(true);
        // Characters outside of the service's attributes stay, whatever the values are.
        const { offset, length } = nodeAt(parseDocument(imported).root, before.attributesPath)!;
        expect(edited.startsWith(imported.slice(0, offset))).toBe(true);
        expect(edited.endsWith(imported.slice(offset + length))).toBe(true);
        expect(exportWhole(edited).text).toBe(edited);
        expect(changedResources(imported, edited)).toEqual(operations.length > 0 ? ['v'] : []);
      }),
      { seed: 20261129, numRuns: 150 },
    );
  });
});
