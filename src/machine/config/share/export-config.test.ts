import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setDefaultConfidence } from '../edit/edit-config.ts';
import { changedResources, exportChangedEntries, exportPatch, exportWhole } from './export-config.ts';
import { diffJson, type PatchOperation } from '../json/json-patch.ts';
import { sampleConfigText } from './sample-config.ts';

/** A configuration with odd spacing, other entries, and three vision services on a chain of cameras. */
const imported = `{
   "modules" :[ {"name":"m",  "path":"/x"} ],
   "components":[
      {"name":"cam","api":"rdk:component:camera","model":"webcam"},
      {"name":"draws","api":"rdk:component:camera","model":"transform","attributes":{"source":"cam","pipeline":[{"type":"detections","attributes":{"detector_name":"a"}}]}},
      {"name":"behind","api":"rdk:component:camera","model":"transform","attributes":{"source":"draws","pipeline":[{"type":"rotate","attributes":{"angle_degs":90}}]}},
      {"name":"arm","api":"rdk:component:arm","model":"fake" }
   ],
   "services":[
      {"name":"net","api":"rdk:service:mlmodel","model":"viam:mlmodel:onnx-cpu"},
      {"name":"a","api":"rdk:service:vision","model":"mlmodel","attributes":{"mlmodel_name":"net","camera_name":"behind","default_minimum_confidence":0.5,"label_confidences":{"dog":0.6}}},
      {"name":"b","api":"rdk:service:vision","model":"mlmodel","attributes":{"mlmodel_name":"net"}}
   ],
   "network": {"bind_address":":8080"}
}
`;

describe('exportWhole', () => {
  it('leaves a configuration that says everything alone, to the byte', () => {
    expect(exportWhole(sampleConfigText)).toEqual({ text: sampleConfigText, notes: [] });
  });

  it('changes nothing that nobody asked for, and notes what the machine does with it', () => {
    const { text, notes } = exportWhole(imported, { tuned: ['a'] });
    expect(text).toBe(imported);
    expect(notes.map(({ message }) => message)).toEqual([
      'a: default_minimum_confidence has no effect; label_confidences alone decide.',
      'a: behind draws results on its frames, which the model would see.',
    ]);
    expect(exportWhole(imported, { tuned: ['b'] })).toEqual({ text: imported, notes: [] });
  });

  it('writes the default normalisation out where it is asked for, and keeps every other line', () => {
    const { text, notes } = exportWhole(imported, { tuned: ['a'], defaults: true });
    const [before, after] = [imported.split('\n'), text.split('\n')];
    const changed = before.map((line, index) => (line === after[index] ? -1 : index)).filter((index) => index >= 0);
    expect(changed).toEqual([before.findIndex((line) => line.includes('"name":"a"'))]);
    expect(JSON.parse(text).services[1].attributes).toEqual({
      ...JSON.parse(imported).services[1].attributes,
      input_image_mean_value: [0.5, 0.5, 0.5],
      input_image_std_dev: [0.5, 0.5, 0.5],
    });
    expect(notes.map(({ code }) => code)).toEqual([
      'normalization-written',
      'normalization-written',
      'default-ignored',
      'camera-draws',
    ]);
  });

  it('writes out every service where none is picked', () => {
    expect(
      JSON.parse(exportWhole(imported, { defaults: true }).text).services[2].attributes.input_image_std_dev,
    ).toEqual([0.5, 0.5, 0.5]);
  });
});

describe('exportChangedEntries', () => {
  it('holds the changed entries as they stand in the whole, and nothing else', () => {
    const text = setDefaultConfidence(sampleConfigText, 'detector', 0.75);
    const exported = exportChangedEntries(sampleConfigText, text);
    expect(JSON.parse(exported.text)).toEqual({ services: [JSON.parse(text).services[1]] });
    expect(exported.text).toContain('        "input_image_mean_value": [0.5, 0.5, 0.5],\n');
    expect(changedResources(sampleConfigText, text)).toEqual(['detector']);
  });

  // With a search of the list for each entry this took minutes.
  it('finds one among thousands', () => {
    const entries = Array.from({ length: 2000 }, (_, at) => ({ name: `sensor-${at}`, attributes: { at } }));
    const before = JSON.stringify({ components: entries });
    const after = before.replace('{"at":1999}', '{"at":0}');
    expect(changedResources(before, after)).toEqual(['sensor-1999']);
  });

  it('is empty when nothing changed', () => {
    expect(exportChangedEntries(sampleConfigText, sampleConfigText).text).toBe('{}\n');
  });
});

describe('exportPatch', () => {
  it('holds one operation a change', () => {
    const text = setDefaultConfidence(sampleConfigText, 'detector', 0.75);
    const { operations, text: json } = exportPatch(sampleConfigText, text);
    expect(operations).toEqual([
      { op: 'replace', path: '/services/1/attributes/default_minimum_confidence', value: 0.75 },
    ]);
    expect(JSON.parse(json)).toEqual(operations);
  });
});

describe('diffJson', () => {
  it.each<[string, unknown, unknown, PatchOperation[]]>([
    ['an inserted item is one add', [1, 2], [1, 9, 2], [{ op: 'add', path: '/1', value: 9 }]],
    ['a removed item is one remove', [1, 9, 2], [1, 2], [{ op: 'remove', path: '/1' }]],
    ['a key is escaped', { 'a/b~': 1 }, {}, [{ op: 'remove', path: '/a~1b~0' }]],
    ['another type is a replace', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
    ['the order of keys is no difference', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ])('%s', (_, from, to, expected) => {
    expect(diffJson(from, to)).toEqual(expected);
  });

  it('leads from any value to any other', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, json, (from, to) => {
        expect(applyPatch(from, diffJson(from, to))).toEqual(to);
      }),
      { seed: 20261121 },
    );
  });
});

/** RFC 6902, as far as `diffJson` uses it. */
function applyPatch(value: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { '': structuredClone(value) } as Record<string, unknown>;
  for (const operation of operations) {
    const segments = ['', ...operation.path.split('/').slice(1)].map((part) =>
      part.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const key = segments.pop() ?? '';
    let parent = root as Record<string, unknown> | unknown[];
    for (const segment of segments) parent = (parent as Record<string, unknown>)[segment] as typeof parent;
    if (Array.isArray(parent)) {
      parent.splice(
        Number(key),
        operation.op === 'add' ? 0 : 1,
        ...(operation.op === 'remove' ? [] : [operation.value]),
      );
    } else if (operation.op === 'remove') delete parent[key];
    else
      Object.defineProperty(parent, key, {
        value: operation.value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
  return root[''];
}
