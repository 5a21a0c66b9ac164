import { describe, expect, it } from 'vitest';
import type { SeenPictures } from '../../../machine/config/edit/capture-cost.ts';
import { insertAt, removeAt, setAt } from '../../../machine/config/json/edit-json.ts';
import { lint } from '../../../machine/config/lint/lint.ts';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { RecorderState } from './recorder-state.svelte.ts';

function opened(text = sampleConfigText, pictures: SeenPictures | null = null) {
  const config = new ConfigState();
  config.lintBy(lint);
  config.importText(text);
  return { config, state: new RecorderState(config, () => pictures) };
}

function recording() {
  const bench = opened();
  bench.state.start();
  return bench;
}

describe('recording behind a filtered camera', () => {
  const filtered = (model: string) => {
    const attributes = { camera: 'webcam', vision_services: [], filter_service: 'gate', window_seconds_before: 2 };
    const entry = { name: 'kept', api: 'rdk:component:camera', model: `viam:camera:${model}`, attributes };
    const text = insertAt(sampleConfigText, ['components'], Infinity, entry);
    return setAt(text, ['services', 1, 'attributes', 'camera_name'], 'kept');
  };

  it.each(['filtered-camera', 'conditional-camera'])('takes every frame, which a %s only passes on', (model) => {
    const { state } = opened(filtered(model));
    expect(state.words).toContain('GB');
    state.start();
    expect([state.recorder?.camera, state.warnings]).toEqual(['webcam', []]);
  });

  it.each([
    ['filtered-camera', 'the filtered camera kept'],
    ['conditional-camera', 'the conditional camera kept'],
  ])('gives no number where a %s is recorded all the same, and warns', (model, who) => {
    const { state } = opened(filtered(model));
    state.start();
    state.change('Camera', { camera: 'kept' });
    expect(state.words).toContain(`How many pictures of it are kept is decided at run time, by ${who}.`);
    expect([state.words.includes('GB'), state.figure]).toEqual([false, 'decided at run time']);
    const [warning] = state.warnings;
    expect([state.warnings.length, warning!.code, warning!.fix?.title]).toEqual([1, 'filter-capture', 'Record webcam']);
    state.fix(warning!);
    expect([state.recorder?.camera, state.warnings]).toEqual(['webcam', []]);
  });

  it('gives no number where a sensor decides', () => {
    const { config, state } = recording();
    const manager = config.parsed.entries.find(({ api }) => api === 'rdk:service:data_manager')!;
    const sensor = { name: 'switch', key: 'captures' };
    config.edit('sensor', (text) => setAt(text, [...manager.attributesPath, 'capture_control_sensor'], sensor));
    expect(state.words).toContain('How often pictures of it are kept is decided at run time, by the sensor switch.');
    expect(state.figure).toBe('decided at run time');
  });
});

describe('recording', () => {
  it('is one step, and its end leaves the text as it was', () => {
    const { config, state } = recording();
    expect(state.recorder).toMatchObject({ name: 'detector-recorder', of: 'detector', threshold: 0.05, rateHz: 1 });
    expect(config.undoLabel).toBe('Record detector for replay');
    const recorded = config.text;
    config.undo();
    expect(config.text).toBe(sampleConfigText);
    config.redo();
    expect(config.text).toBe(recorded);

    state.stop();
    expect(config.text).toBe(sampleConfigText);
    expect(state.recorder).toBeNull();
    expect(config.undoLabel).toBe('Remove detector-recorder');
    config.undo();
    expect(config.text).toBe(recorded);
  });

  it.each([
    ['of the service', 'detector', 'tuned-camera'],
    ['that feeds a service without one', null, 'webcam'],
  ])('takes the camera %s', (_, service, camera) => {
    const { state } = opened(
      service === null ? removeAt(sampleConfigText, ['services', 1, 'attributes', 'camera_name']) : sampleConfigText,
    );
    state.start();
    expect(state.recorder?.camera).toBe(camera);
  });

  it('takes the camera that was chosen for a service without one', () => {
    const { config, state } = opened(removeAt(sampleConfigText, ['services', 1, 'attributes', 'camera_name']));
    config.chooseCamera('tuned-camera');
    state.start();
    expect(state.recorder?.camera).toBe('tuned-camera');
  });

  it.each([
    ['a service', '{"components":[]}'],
    ['a camera', '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{}}]}'],
  ])('needs %s', (_, text) => {
    const { config, state } = opened(text);
    expect(state.canStart).toBe(false);
    expect(state.words).toBe('No camera of this configuration can be recorded.');
    state.start();
    state.stop();
    state.change('Rate', { rateHz: 2 });
    state.rename('other');
    expect(config.text).toBe(text);
  });

  it('takes the camera before the one that draws', () => {
    const path = ['components', 1, 'attributes', 'pipeline'];
    const { state } = opened(setAt(sampleConfigText, path, [{ type: 'detections', attributes: {} }]));
    state.start();
    expect(state.recorder?.camera).toBe('webcam');
    expect(state.warnings).toEqual([]);
    state.change('Camera', { camera: 'tuned-camera' });
    expect(state.warnings.map(({ code }) => code)).toEqual(['camera-draws']);
    state.fix(state.warnings[0]!);
    expect(state.recorder?.camera).toBe('webcam');
  });

  it('goes on where the recorder itself is tuned', () => {
    const { config, state } = recording();
    config.chooseVision('detector-recorder');
    expect(state.recorder?.of).toBe('detector');
    state.rename('night');
    expect(config.visionName).toBe('night');
    state.stop();
    expect(config.text).toBe(sampleConfigText);
  });
});

describe('what is said of a recorder', () => {
  it('is what it would do, and what it costs by the pictures seen', () => {
    const { state } = opened(sampleConfigText, { camera: null, widthPx: 100, heightPx: 50, bytes: null });
    expect(state.words).toBe(
      'Adds a copy of detector that keeps pictures and all results from 0.05 on, once a second. About 10 MB an hour, 240 MB a day, if a picture is 100 × 50 (2.8 kB).',
    );
  });

  it('is in a few words what it would cost', () => {
    expect(opened().state.figure).toBe('about 220 MB an hour');
    expect(opened('{"components":[]}').state.figure).toBe('there is no camera');
  });

  it('is what it does', () => {
    const { state } = recording();
    expect(state.words).toMatch(
      /^With this configuration the machine keeps pictures of tuned-camera, and all results from 0\.05 on, once a second\. What detector reports stays as it is\. About 220 MB/,
    );
    state.change('Threshold', { threshold: 0 });
    expect(state.words).toContain('and all results, once');
    state.change('Rate', { rateHz: 0 });
    expect(state.words).toBe('Nothing is recorded at this rate.');
  });

  it('is no threshold where all scores are 1, as of a colour detector', () => {
    const attributes = { detect_color: '#d01020', hue_tolerance_pct: 0.1, segment_size_px: 500, camera_name: 'cam' };
    const red = { name: 'red', api: 'rdk:service:vision', model: 'color_detector', attributes };
    const cam = { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
    const { config, state } = opened(JSON.stringify({ components: [cam], services: [red] }));
    expect([state.canStart, state.hasScores]).toEqual([true, false]);
    expect(state.words).toContain('Adds a copy of red that keeps pictures and all boxes, once a second.');
    state.start();
    expect(config.config.visionServices.map(({ name, color }) => [name, color?.segment_size_px])).toEqual([
      ['red', 500],
      ['red-recorder', 500],
    ]);
    expect(state.words).toContain('keeps pictures of cam, and all boxes, once a second. What red reports');
    expect(config.findings.filter(({ path, severity }) => path[1] === 1 && severity !== 'info')).toEqual([]);
    expect(config.text).not.toContain('default_minimum_confidence');
    state.change('Threshold', { threshold: 0.4 });
    expect(config.text).not.toContain('default_minimum_confidence');
    config.edit('Area', (text) => setAt(text, ['services', 0, 'attributes', 'segment_size_px'], 900));
    expect(state.warnings.map(({ code }) => code)).toEqual(['recorder-drift']);
    state.fix(state.warnings[0]!);
    expect([state.warnings, config.config.visionServices[1]!.color?.segment_size_px]).toEqual([[], 900]);
  });

  it('is of the camera of the service where the capture names none, and nothing without either', () => {
    const { config, state } = recording();
    state.change('Camera', { camera: '' });
    expect(state.words).toContain('keeps pictures of tuned-camera, and');
    expect(state.warnings).toEqual([]);
    config.edit('No camera', (text) => removeAt(text, ['services', 2, 'attributes', 'camera_name']));
    expect(state.words).toBe('Nothing is recorded as long as no camera is chosen.');
  });

  it('is what it costs by the bytes that the recorded camera sends', () => {
    const sent = { widthPx: 100, heightPx: 50, bytes: 5000 };
    expect(opened(sampleConfigText, { camera: 'tuned-camera', ...sent }).state.figure).toBe('about 18 MB an hour');
    expect(opened(sampleConfigText, { camera: 'webcam', ...sent }).state.figure).toBe('about 10 MB an hour');
  });

  it('is that a list of labels drops the others', () => {
    const { config, state } = recording();
    const path = ['services', 2, 'attributes', 'label_confidences'];
    config.edit('List', (text) => setAt(text, path, { face: 0.4 }));
    expect(state.words).toContain('and only results of the labels in its label_confidences from 0.4 on, once');
    expect(state.warnings.map(({ code }) => code)).toEqual(['recorder-threshold']);
    state.fix(state.warnings[0]!);
    expect(state.words).toContain('and all results from 0.05 on, once');
  });

  it('is nothing of other services, but what stops all captures', () => {
    const { config, state } = recording();
    const [, , recorder, manager] = JSON.parse(config.text).services;
    const [{ attributes }] = recorder.service_configs;
    const [capture] = attributes.capture_methods;
    const other = (name: string) => ({
      ...recorder,
      name,
      service_configs: [{ type: 'data_manager', attributes: { capture_methods: [{ ...capture, disabled: true }] } }],
    });
    const warned = (services: readonly object[]): readonly string[] => {
      config.edit('Services', (text) => setAt(text, ['services'], services));
      return state.warnings.map(({ code, resource }) => `${code} ${resource}`);
    };
    const [model, detector] = JSON.parse(config.text).services;
    expect(warned([model, other('first'), detector, recorder, manager])).toEqual(['capture-off first']);
    config.undo();
    config.chooseVision('detector-recorder');
    expect(warned([model, detector, other('first'), recorder, manager])).toEqual([]);
    const off = { ...manager, attributes: { capture_disabled: true } };
    expect(warned([model, detector, other('first'), recorder, off])).toEqual(['capture-off recorder-data-manager']);
    expect(warned([model, detector, other('first'), recorder])).toEqual(['capture-off first']);
    expect(state.warnings[0]?.fix?.title).toBe('Add a data manager');
  });

  it('is what lint warns of', () => {
    const { config, state } = recording();
    expect(state.warnings).toEqual([]);
    state.change('Threshold', { threshold: 0.6 });
    expect(state.warnings.map(({ code }) => code)).toEqual(['recorder-threshold']);
    state.fix(state.warnings[0]!);
    expect(state.recorder?.threshold).toBe(0.05);
    config.edit('Other model', (text) => setAt(text, ['services', 1, 'attributes', 'camera_name'], 'webcm'));
    expect(state.warnings.map(({ code }) => code)).toEqual(['recorder-drift']);
    expect(config.findings.map(({ code }) => code)).toContain('camera-name');
  });
});

describe('the settings of a recorder', () => {
  it('are one step each', () => {
    const { config, state } = recording();
    state.change('Rate', { rateHz: 5 });
    expect(config.undoLabel).toBe('Rate of detector-recorder');
    state.change('Camera', { camera: 'webcam' });
    state.rename('night');
    expect(state.recorder).toMatchObject({ name: 'night', rateHz: 5, camera: 'webcam' });
    expect(config.undoLabel).toBe('Name of detector-recorder');
    config.undo();
    expect(state.recorder).toMatchObject({ name: 'detector-recorder', camera: 'webcam' });
  });

  it.each([
    ['webcam', 'Another resource is named "webcam" already.'],
    ['', 'The machine does not accept the name "": use letters, digits, - and _, and begin with a letter or a digit.'],
    [
      '-night',
      'The machine does not accept the name "-night": use letters, digits, - and _, and begin with a letter or a digit.',
    ],
    [
      'a b',
      'The machine does not accept the name "a b": use letters, digits, - and _, and begin with a letter or a digit.',
    ],
  ])('refuse the name "%s"', (name, fault) => {
    const { state } = recording();
    state.rename(name);
    expect(state.nameFault).toBe(fault);
    expect(state.recorder?.name).toBe('detector-recorder');
    state.rename('9-night_1');
    expect(state.nameFault).toBe('');
    expect(state.recorder?.name).toBe('9-night_1');
  });

  it('take their own name as it is, and forget a fault', () => {
    const { config, state } = recording();
    const steps = config.undoLabel;
    expect(state.rename('webcam')).toBe(false);
    state.dismissNameFault();
    expect(state.nameFault).toBe('');
    state.rename('webcam');
    expect(state.rename('detector-recorder')).toBe(true);
    expect(state.nameFault).toBe('');
    expect(config.undoLabel).toBe(steps);
  });

  it('keep the fault of another recorder to itself', () => {
    const { config, state } = recording();
    const second = { ...JSON.parse(config.text).services[1], name: 'second' };
    config.edit('Second', (text) => insertAt(text, ['services'], Infinity, second));
    config.chooseVision('second');
    state.start();
    state.rename('webcam');
    expect(state.nameFault).not.toBe('');
    config.chooseVision('detector');
    expect(state.recorder?.name).toBe('detector-recorder');
    expect(state.nameFault).toBe('');
  });

  it('forget a fault when a button elsewhere stops the recording, also after a new start', () => {
    const { config, state } = recording();
    const elsewhere = new RecorderState(config, () => null);
    state.rename('webcam');
    expect(state.nameFault).not.toBe('');
    elsewhere.stop();
    expect(state.nameFault).toBe('');
    elsewhere.start();
    expect(state.recorder?.name).toBe('detector-recorder');
    expect(state.nameFault).toBe('');
  });

  it('offer the cameras, with a missing one that is recorded', () => {
    const { state } = recording();
    expect(state.cameras).toEqual(['webcam', 'tuned-camera']);
    state.change('Camera', { camera: 'gone' });
    expect(state.cameras).toEqual(['gone', 'webcam', 'tuned-camera']);
  });
});
