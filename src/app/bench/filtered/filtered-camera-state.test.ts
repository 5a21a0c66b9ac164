import { expect, it } from 'vitest';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { FilteredCameraState } from './filtered-camera-state.svelte.ts';

function opened(text = sampleConfigText) {
  const config = new ConfigState();
  config.importText(text);
  return { config, state: new FilteredCameraState(config, () => null) };
}

function added() {
  const bench = opened();
  bench.state.add('webcam', 'detector', 'objects', { face: 0.6 });
  return bench;
}

it('adds a camera in one step that undo reverts to the byte', () => {
  const { config, state } = added();
  expect(state.camera).toMatchObject({ name: 'webcam-filtered', refusal: '', captureHz: 1 });
  expect(config.undoLabel).toBe('Add a filtered camera');
  config.undo();
  expect([config.text, state.camera]).toEqual([sampleConfigText, null]);
});

it('shows the camera that was chosen while there is one, and a new one at once', () => {
  const { config, state } = added();
  state.add('webcam', 'detector', 'objects', { face: 0.9 });
  expect(state.camera?.name).toBe('webcam-filtered-2');
  state.choose('webcam-filtered');
  expect(state.camera?.name).toBe('webcam-filtered');
  state.choose('webcam-filtered-2');
  config.undo();
  expect(state.camera?.name).toBe('webcam-filtered');
});

it('makes one step of a drag, and one of each line', () => {
  const { config, state } = added();
  const [face] = state.linesOf('detector');
  const before = config.text;
  for (const score of [0.61, 0.62, 0.7]) state.setLine(face!, score, true);
  state.settle();
  expect(state.linesOf('detector')).toEqual([{ ...face, score: 0.7 }]);
  expect(config.undoLabel).toBe('Score of face in webcam-filtered');
  config.undo();
  expect(config.text).toBe(before);
});

it('adds lines that keep and lines that hold back, and removes them', () => {
  const { state } = added();
  const any = { vision: 'detector', kind: 'objects', label: '*' } as const;
  state.setLine({ ...any, inhibits: true }, 0.9);
  state.setLine({ ...any, inhibits: false }, 0.8);
  expect(state.linesOf('detector').map(({ label, inhibits, score }) => [label, inhibits, score])).toEqual([
    ['face', false, 0.6],
    ['*', false, 0.8],
    ['*', true, 0.9],
  ]);
  expect(state.linesOf('other')).toEqual([]);
  state.setLine({ ...any, inhibits: false }, null);
  expect(state.linesOf('detector')).toHaveLength(2);
});

it('plays a rule as far as the service decides it', () => {
  const { state } = added();
  expect(state.playable(['detector'])?.rule.acceptors).toHaveLength(1);
  expect(state.playable(['other'])).toBeNull();
  state.setNumber('After', 'window_seconds_after', 0);
  state.setNumber('Before', 'window_seconds_before', 0);
  expect(state.camera?.refusal).not.toBe('');
  expect([state.playable(['detector']), state.linesOf('detector')]).toEqual([null, []]);
});

it('names the services that the camera asks, each once', () => {
  const { state } = added();
  const line = { vision: 'sky', kind: 'objects', label: '*' } as const;
  state.setLine({ ...line, inhibits: true }, 0.9);
  state.setLine({ ...line, inhibits: false }, 0.9);
  expect(state.asked).toEqual(['detector', 'sky']);
});

it('asks once a second where the data manager captures nothing', () => {
  const { state } = added();
  state.setCapture(4);
  expect(state.captureHz).toBe(4);
  state.setCapture(0);
  expect([state.camera?.captureHz, state.captureHz]).toEqual([0, 1]);
});

it('says why an edit is refused, until one is taken', () => {
  const { state } = opened('{ "components": 1 }');
  const add = (): void => state.add('webcam', 'detector', 'objects', { face: 0.6 });
  state.attempt(add);
  expect(state.fault).toContain('components');
  state.attempt(() => undefined);
  expect(state.fault).toBe('');
});
