import { describe, expect, it } from 'vitest';
import type { SeenPictures } from '../../../config/capture-cost.ts';
import { removeAt, setAt } from '../../../config/edit-json.ts';
import { lint } from '../../../config/lint/lint.ts';
import { sampleConfigText } from '../../../config/sample-config.ts';
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

describe('recording', () => {
  it('is one step, and its end leaves the text as it was', () => {
    const { config, state } = recording();
    expect(state.recorder).toMatchObject({ name: 'detector-recorder', of: 'detector', threshold: 0.05, rateHz: 1 });
    expect(config.undoLabel).toBe('Recording of detector');
    const recorded = config.text;
    config.undo();
    expect(config.text).toBe(sampleConfigText);
    config.redo();
    expect(config.text).toBe(recorded);

    state.stop();
    expect(config.text).toBe(sampleConfigText);
    expect(state.recorder).toBeNull();
    expect(config.undoLabel).toBe('End of detector-recorder');
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
    const { state } = opened(sampleConfigText, { widthPx: 100, heightPx: 50, bytes: null });
    expect(state.words).toBe(
      'Adds a copy of detector that keeps pictures and all results from 0.05 on, once a second. About 10 MB an hour, 240 MB a day, of pictures of 100 × 50 (2.8 kB).',
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
    ['', 'The machine takes no name "": use letters, digits, - and _, and begin with a letter or a digit.'],
    ['-night', 'The machine takes no name "-night": use letters, digits, - and _, and begin with a letter or a digit.'],
    ['a b', 'The machine takes no name "a b": use letters, digits, - and _, and begin with a letter or a digit.'],
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
    state.rename('webcam');
    state.dismissNameFault();
    expect(state.nameFault).toBe('');
    state.rename('webcam');
    state.rename('detector-recorder');
    expect(config.undoLabel).toBe(steps);
    state.stop();
    expect(state.nameFault).toBe('');
  });

  it('offer the cameras, with a missing one that is recorded', () => {
    const { state } = recording();
    expect(state.cameras).toEqual(['webcam', 'tuned-camera']);
    state.change('Camera', { camera: 'gone' });
    expect(state.cameras).toEqual(['gone', 'webcam', 'tuned-camera']);
  });
});
