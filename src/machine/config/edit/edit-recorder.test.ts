import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listEntries } from '../parse/config-entries.ts';
import { addDataManager, addRecorder, changeRecorder, copyAgain, removeRecorder } from './edit-recorder.ts';
import { removeAt, setAt } from '../json/edit-json.ts';
import { nodeAt, parseDocument } from '../json/json-document.ts';
import { lint } from '../lint/lint.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';
import { recorderOf, recorders, usualRecorder } from './recorder.ts';
import { sampleConfigText } from '../share/sample-config.ts';

const settings = { name: 'watch', threshold: 0.05, rateHz: 2, camera: 'tuned-camera' };
const added = addRecorder(sampleConfigText, 'detector', settings);
const servicesOf = (text: string) => JSON.parse(text).services;

/** The text of each entry, by its name. */
function sources(text: string): ReadonlyMap<string, string> {
  const document = parseDocument(text);
  return new Map(
    listEntries(document).map(({ name, path }) => {
      const { offset, length } = nodeAt(document.root, path)!;
      return [name, text.slice(offset, offset + length)];
    }),
  );
}

describe('a recorder that is added', () => {
  it('is a copy with one low threshold, which the data manager captures', () => {
    expect(servicesOf(added)[2]).toEqual({
      name: 'watch',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: {
        mlmodel_name: 'detector-model',
        camera_name: 'tuned-camera',
        input_image_mean_value: [0.5, 0.5, 0.5],
        input_image_std_dev: [0.5, 0.5, 0.5],
        default_minimum_confidence: 0.05,
      },
      service_configs: [
        {
          type: 'data_manager',
          attributes: {
            capture_methods: [
              {
                method: 'CaptureAllFromCamera',
                capture_frequency_hz: 2,
                additional_params: { camera_name: 'tuned-camera', min_confidence_score: 0, recorder_of: 'detector' },
              },
            ],
          },
        },
      ],
    });
    expect(servicesOf(added)[3]).toEqual({
      name: 'recorder-data-manager',
      api: 'rdk:service:data_manager',
      model: 'rdk:builtin:builtin',
      attributes: {},
    });
  });

  it('lets the machine build everything, and lint says its cost only', () => {
    expect(parseMachineConfig(added).problems).toEqual([]);
    expect(lint(added).map(({ code, severity }) => `${severity} ${code}`)).toEqual(['info capture-cost']);
  });

  it('has no list of labels, and captures nothing that the copied service captures', () => {
    const text = setAt(
      setAt(sampleConfigText, ['services', 1, 'attributes', 'Label_Confidences'], { face: 0.9 }),
      ['services', 1, 'Service_Configs'],
      [{ type: 'data_manager', attributes: { capture_methods: [{ method: 'DoCommand' }] } }],
    );
    const [, , recorder] = servicesOf(addRecorder(text, 'detector', settings));
    expect(Object.keys(recorder.attributes)).not.toContain('Label_Confidences');
    expect(Object.keys(recorder)).toEqual(['name', 'api', 'model', 'attributes', 'service_configs']);
    expect(recorder.service_configs[0].attributes.capture_methods).toHaveLength(1);
  });

  it.each([
    ['there is one', addDataManager(sampleConfigText)],
    ['fragments may bring one', setAt(sampleConfigText, ['fragments'], ['a'])],
    ['the text is a part, so that the rest may have one', removeAt(sampleConfigText, ['components'])],
  ])('brings no data manager where %s', (_, text) => {
    const before = servicesOf(text).length;
    expect(servicesOf(addRecorder(text, 'detector', settings))).toHaveLength(before + 1);
  });

  it('needs a service to copy', () => {
    expect(() => addRecorder(sampleConfigText, 'nothing', settings)).toThrow('no vision service named "nothing"');
  });
});

describe('a recorder that is removed', () => {
  it('leaves the text as it was, to the byte, however it is written and whatever stands beside it', () => {
    const entry = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      api: fc.constantFrom('rdk:service:mlmodel', 'rdk:service:data_manager', 'rdk:service:generic'),
      attributes: fc.dictionary(
        fc.constantFrom('x', 'y'),
        fc.json().map((text) => JSON.parse(text) as unknown),
      ),
    });
    const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
    const written = fc.tuple(
      fc.array(entry, { maxLength: 3 }),
      fc.array(entry, { maxLength: 3 }),
      fc.constantFrom('', ' ', '  ', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n', ' \n\n'),
    );
    fc.assert(
      fc.property(written, ([before, after, indent, lineBreak, end]) => {
        const whole = JSON.stringify({ services: [...before, vision, ...after], modules: [] }, null, indent);
        const text = whole.replaceAll('\n', lineBreak) + end;
        const edited = addRecorder(text, 'v', settings);
        const untouched = sources(text);
        for (const [name, source] of untouched) expect(sources(edited).get(name)).toBe(source);
        expect(removeRecorder(edited, 'watch')).toBe(text);
      }),
      { seed: 20261127 },
    );
  });

  it('leaves later edits of other entries', () => {
    const edit = (text: string) => setAt(text, ['services', 1, 'attributes', 'default_minimum_confidence'], 0.7);
    expect(removeRecorder(edit(added), 'watch')).toBe(edit(sampleConfigText));
    const renamed = changeRecorder(added, 'watch', { name: 'other', rateHz: 5, threshold: 0.2, camera: 'webcam' });
    expect(removeRecorder(renamed, 'other')).toBe(sampleConfigText);
  });

  it('leaves a data manager that another resource needs, or that was changed', () => {
    const two = addRecorder(added, 'detector', { ...settings, name: 'second' });
    const one = removeRecorder(two, 'watch');
    expect(servicesOf(one).map(({ name }: { name: string }) => name)).toEqual([
      'detector-model',
      'detector',
      'recorder-data-manager',
      'second',
    ]);
    expect(removeRecorder(one, 'second')).toBe(sampleConfigText);

    const changed = setAt(added, ['services', 3, 'attributes', 'capture_dir'], '/data');
    expect(removeRecorder(changed, 'watch')).toBe(removeAt(changed, ['services', 2]));
  });

  it('leaves a data manager that was there before', () => {
    const text = setAt(addDataManager(sampleConfigText), ['services', 2, 'name'], 'data_manager-1');
    expect(removeRecorder(addRecorder(text, 'detector', settings), 'watch')).toBe(text);
  });
});

describe('the settings of a recorder', () => {
  it('are read as they were written', () => {
    const changed = changeRecorder(added, 'watch', { threshold: 0.1, rateHz: 0.5, camera: 'webcam', name: 'night' });
    expect(recorderOf(parseDocument(changed), 'detector')).toMatchObject({
      name: 'night',
      of: 'detector',
      threshold: 0.1,
      rateHz: 0.5,
      camera: 'webcam',
    });
    expect(recorderOf(parseDocument(changed), 'night')?.name).toBe('night');
    expect(recorderOf(parseDocument(changed), 'watch')).toBeNull();
  });

  it.each([
    [{ rateHz: 7 }, '"capture_frequency_hz": 2', '"capture_frequency_hz": 7'],
    [{ threshold: 0.2 }, '"default_minimum_confidence": 0.05', '"default_minimum_confidence": 0.2'],
    [{ name: 'night' }, '"name": "watch"', '"name": "night"'],
    [
      { camera: 'webcam' },
      '"camera_name": "tuned-camera",\n                  "min',
      '"camera_name": "webcam",\n                  "min',
    ],
  ])('change their own characters only: %o', (change, before, after) => {
    expect(added.split(before)).toHaveLength(2);
    expect(changeRecorder(added, 'watch', change)).toBe(added.replace(before, after));
  });

  it.each([
    ['the default', { default_minimum_confidence: 0.5 }, 0.05],
    ['a default as low as the usual one', { default_minimum_confidence: 0.05 }, 0.025],
    ['no default', {}, 0],
    ['the lowest label', { default_minimum_confidence: 0.9, label_confidences: { cat: 0.5, dog: 0.04 } }, 0.019999999],
    ['a label that lets everything through', { label_confidences: { cat: -1 } }, 0],
    ['labels without numbers', { label_confidences: { cat: 'x' }, default_minimum_confidence: 0.4 }, 0.05],
  ])('are proposed below %s', (_, attributes, threshold) => {
    const text = setAt(sampleConfigText, ['services', 1, 'attributes'], attributes);
    expect(usualRecorder(text, 'detector', 'r', 'cam')).toEqual({ name: 'r', threshold, rateHz: 1, camera: 'cam' });
  });

  it('are proposed for a service only', () => {
    expect(usualRecorder(sampleConfigText, 'nothing', 'r', 'cam')).toBeNull();
  });

  it('are one threshold for all labels, whatever list there was', () => {
    const listed = setAt(added, ['services', 2, 'attributes', 'Label_Confidences'], { face: 0.4 });
    expect(recorders(parseDocument(listed))[0]).toMatchObject({ threshold: 0.4, keepsListedOnly: true });
    const changed = changeRecorder(listed, 'watch', { threshold: 0.1 });
    expect(changed).toBe(changeRecorder(added, 'watch', { threshold: 0.1 }));
    expect(recorders(parseDocument(changed))[0]).toMatchObject({ threshold: 0.1, keepsListedOnly: false });
    expect(copyAgain(listed, 'watch')).toBe(changeRecorder(added, 'watch', { threshold: 0.4 }));
  });

  it('are those of the first capture that records', () => {
    const methods = ['services', 2, 'service_configs', 0, 'attributes', 'capture_methods'];
    const [capture] = servicesOf(added)[2].service_configs[0].attributes.capture_methods;
    const two = setAt(added, methods, [{ method: 'DoCommand' }, { ...capture, capture_frequency_hz: 7 }, capture]);
    expect(recorders(parseDocument(two)).map(({ rateHz }) => rateHz)).toEqual([7]);
  });

  it('are the camera of the service where the capture names none', () => {
    expect(recorders(parseDocument(changeRecorder(added, 'watch', { camera: '' })))[0]?.camera).toBe('tuned-camera');
  });

  it('need a recorder', () => {
    expect(() => changeRecorder(added, 'detector', { rateHz: 1 })).toThrow('no recorder named "detector"');
  });
});

describe('a copy that is made again', () => {
  const tuned = setAt(
    setAt(added, ['services', 1, 'attributes', 'label_path'], '/labels.txt'),
    ['services', 1, 'attributes', 'camera_name'],
    'webcam',
  );

  it('takes the attributes and the camera of the service, and keeps its own threshold', () => {
    const again = copyAgain(tuned, 'watch');
    const [, service, recorder] = servicesOf(again);
    expect(recorder.attributes).toEqual({ ...service.attributes, default_minimum_confidence: 0.05 });
    expect(recorders(parseDocument(again))[0]?.camera).toBe('webcam');
  });

  it('keeps the recorded camera where the service has none', () => {
    const without = removeAt(tuned, ['services', 1, 'attributes', 'camera_name']);
    expect(recorders(parseDocument(copyAgain(without, 'watch')))[0]?.camera).toBe('tuned-camera');
  });

  it('needs the service', () => {
    const gone = setAt(added, ['services', 1, 'name'], 'renamed');
    expect(() => copyAgain(gone, 'watch')).toThrow('The service "detector" that "watch" copies is gone.');
  });
});
