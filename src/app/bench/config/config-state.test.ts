import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { setDefaultConfidence } from '../../../machine/config/edit/edit-config.ts';
import { addStep, switchStep } from '../../../machine/config/edit/edit-pipeline.ts';
import { lint } from '../../../machine/config/lint/lint.ts';
import { shareConfig } from '../../../machine/config/share/share-config.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import { openSharedLink } from './shared-link.ts';
import { ConfigState } from './config-state.svelte.ts';
import { ConfigStore } from './config-store.ts';

const twoServices = JSON.stringify({
  components: [
    { name: 'cam', api: 'rdk:component:camera', model: 'webcam' },
    {
      name: 'cropped',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'cam', pipeline: [{ type: 'resize', attributes: { width_px: 64, height_px: 48 } }] },
    },
  ],
  services: [
    {
      name: 'near',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', camera_name: 'cam' },
    },
    { name: 'far', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } },
  ],
});

const stateOf = (text: string): ConfigState => {
  const state = new ConfigState();
  state.lintBy(lint);
  state.importText(text);
  return state;
};

const threshold = (state: ConfigState, value: number, coalesce?: string): boolean =>
  state.edit('Threshold', (text) => setDefaultConfidence(text, 'near', value), coalesce ? { coalesce } : {});

it('lists a threshold that is dragged now and then, and at once where the drag ends or another edit comes', () => {
  let nowMs = 0;
  let due = (): void => undefined;
  const listing = new Throttle(100, { nowMs: () => nowMs, after: (_, task) => void (due = task) });
  const state = new ConfigState({ listing });
  state.importText(twoServices);
  const inForceAndListed = () =>
    [state.filter, state.listedFilter].map(({ defaultMinimumConfidence }) => defaultMinimumConfidence);
  const drag = (value: number) => (threshold(state, value, 'drag'), inForceAndListed());
  expect(drag(0.1)).toEqual([0.1, 0.1]);
  nowMs = 20;
  expect(drag(0.2)).toEqual([0.2, 0.1]);
  nowMs = 99;
  expect(drag(0.3)).toEqual([0.3, 0.1]);
  nowMs = 100;
  expect(drag(0.35)).toEqual([0.35, 0.35]);
  nowMs = 110;
  expect(drag(0.37)).toEqual([0.37, 0.35]);
  nowMs = 1000;
  due();
  expect(inForceAndListed()).toEqual([0.37, 0.37]);
  expect(drag(0.4)).toEqual([0.4, 0.37]);
  state.settle();
  expect(inForceAndListed()).toEqual([0.4, 0.4]);
  expect(drag(0.5)).toEqual([0.5, 0.4]);
  threshold(state, 0.6);
  expect(inForceAndListed()).toEqual([0.6, 0.6]);
  expect(drag(0.7)).toEqual([0.7, 0.6]);
  state.undo();
  expect(state.listedFilter).toBe(state.filter);
});

const keptStorage = () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return { kept, storage };
};

describe('an imported text that cannot be read', () => {
  const withComment = twoServices.replace('{"components"', '{\n  // mine\n  "components"');

  it('is neither opened nor exchanged for the former one', () => {
    const state = new ConfigState();
    const former = state.text;
    expect(state.importFile(withComment, 'machine.json')).toBe(true);
    expect([state.text, state.unreadFile, state.notice]).toEqual([withComment, 'machine.json', '']);
    expect(state.unreadable).toMatchObject({ line: 2, column: 3, mend: { title: 'Remove the comment' } });
    // What runs is still the former one, whole.
    expect([state.parsed.document.text, state.importedText, state.visionName]).toEqual([former, former, 'detector']);
    expect(state.edit('Threshold', (text) => setDefaultConfidence(text, 'detector', 0.7))).toBe(false);
    expect(state.editSteps('Step', (edit) => addStep(edit, 'tuned-camera', 0, { type: 'crop' }))).toBe(false);
    expect([state.text, state.undoLabel]).toEqual([withComment, 'Import machine.json']);
    state.undo();
    expect([state.text, state.unreadable, state.unreadFile]).toEqual([former, null, '']);
    state.redo();
    expect([state.text, state.unreadFile]).toEqual([withComment, 'machine.json']);
  });

  it.each([
    ['by the mend', (state: ConfigState) => state.mend()],
    ['by the fix of its finding', (state: ConfigState) => state.fix(state.findings[0]!)],
    ['by typing', (state: ConfigState) => state.typeText(withComment.replace('  // mine\n', ''))],
  ])('comes in %s', (_, mend) => {
    const state = stateOf(twoServices);
    state.chooseVision('far');
    state.importFile(withComment, 'machine.json');
    expect(state.visionName).toBe('far');
    mend(state);
    expect([state.broken, state.importedText, state.visionName]).toEqual([false, state.text, 'near']);
    expect(JSON.parse(state.text)).toEqual(JSON.parse(twoServices));
    expect(threshold(state, 0.5)).toBe(true);
    state.undo();
    state.undo();
    expect([state.text, state.unreadFile, state.visionName]).toEqual([withComment, 'machine.json', 'far']);
    expect(state.parsed.document.text).toBe(twoServices);
  });

  it('is wrapped once it can be read, not before', () => {
    const entry =
      '{ "name": "v", "api": "rdk:service:vision", "model": "mlmodel", "attributes": {"mlmodel_name": "m",} }';
    const state = new ConfigState();
    state.importText(entry);
    expect([state.text, state.unreadFile]).toEqual([entry, '']);
    state.mend();
    expect(state.visionNames).toEqual(['v']);
  });

  it('makes room for the former one, and comes back by undo', () => {
    const state = stateOf(twoServices);
    threshold(state, 0.5);
    const tuned = state.text;
    state.importText('{"components": [');
    state.mend(); // nothing would
    expect(state.unreadable?.mend).toBeNull();
    state.backToReadable();
    expect([state.text, state.importedText, state.unreadable]).toEqual([tuned, twoServices, null]);
    state.undo();
    expect(state.text).toBe('{"components": [');
  });

  it('is there after a reload, beside what runs in its stead, and undo goes behind both', () => {
    const { storage } = keptStorage();
    const store = new ConfigStore(storage);
    const first = new ConfigState({ store });
    first.importText(twoServices);
    first.importFile(withComment, 'machine.json');
    store.flush();
    const second = new ConfigState({ store: new ConfigStore(storage) });
    expect([second.text, second.unreadFile, second.unreadable?.line]).toEqual([withComment, 'machine.json', 2]);
    expect([second.parsed.document.text, second.importedText]).toEqual([twoServices, twoServices]);
    expect(threshold(second, 0.5)).toBe(false);
    second.undo();
    expect([second.text, second.unreadable]).toEqual([twoServices, null]);
    second.undo();
    expect(second.visionName).toBe('detector');
  });

  it('is told of a byte order mark, which the machine refuses', () => {
    const state = new ConfigState();
    state.importFile(`\uFEFF${twoServices}`, 'bom.json');
    expect(state.unreadable?.message).toContain('byte order mark');
    state.mend();
    expect([state.text, state.importedText]).toEqual([twoServices, twoServices]);
    expect(state.notice).toContain('Opened the configuration bom.json, fixed.');
  });

  it('is not said to be opened where a link holds it', async () => {
    const state = new ConfigState();
    const former = state.text;
    const packed = deflateRawSync('[1]').toString('base64url');
    expect(await openSharedLink(state, `#config=1.${packed}`)).toBe(true);
    expect([state.text, state.notice, state.parsed.document.text]).toEqual(['[1]', '', former]);
    expect(state.unreadable?.message).toContain('is a JSON object');
  });
});

describe('ConfigState', () => {
  it('starts with a configuration that runs', () => {
    const state = new ConfigState();
    expect(state.findings).toEqual([]);
    state.lintBy(lint);
    expect(state.service?.name).toBe('detector');
    expect(state.camera?.name).toBe('tuned-camera');
    expect(state.ruleInForce).toBe('default_minimum_confidence');
    expect(state.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('reads what was edited, and undoes a drag at once', () => {
    const state = stateOf(twoServices);
    threshold(state, 0.1, 'drag');
    threshold(state, 0.2, 'drag');
    threshold(state, 0.3, 'drag');
    state.settle();
    threshold(state, 0.9, 'drag');
    expect(state.filter.defaultMinimumConfidence).toBe(0.9);
    state.undo();
    expect(state.filter.defaultMinimumConfidence).toBe(0.3);
    state.undo();
    expect(state.text).toBe(twoServices);
    state.redo();
    expect(state.filter.defaultMinimumConfidence).toBe(0.3);
  });

  it('records nothing when nothing changes', () => {
    const state = stateOf(twoServices);
    const label = state.undoLabel;
    state.edit('Nothing', (text) => text);
    expect(state.undoLabel).toBe(label);
  });

  it('chooses a service with its camera, and falls back when it goes', () => {
    const state = stateOf(twoServices);
    expect([state.visionName, state.cameraName, state.camera]).toEqual(['near', 'cam', null]);
    state.chooseVision('far');
    expect([state.visionName, state.cameraName]).toEqual(['far', null]);
    state.chooseCamera('cropped');
    expect(state.camera?.source).toBe('cam');
    state.edit('Rename', (text) => text.replace('"far"', '"wide"'));
    expect(state.visionName).toBe('near');
  });

  it('runs the last good text while the typed one is broken, and takes no edit in its place', () => {
    const state = stateOf(twoServices);
    threshold(state, 0.4);
    const good = state.text;
    const broken = good.slice(0, -2);
    state.typeText(broken);
    expect([state.broken, state.unreadable]).toEqual([true, null]); // not in the middle of a word
    expect(state.filter.defaultMinimumConfidence).toBe(0.4);
    expect([threshold(state, 0.5), state.text]).toEqual([false, broken]);
    expect(state.unreadable).toMatchObject({ line: 1, message: expect.any(String), mend: null });
    state.typeText(good);
    expect([state.broken, threshold(state, 0.5)]).toEqual([false, true]);
    state.undo();
    state.undo();
    expect(state.text).toBe(good);
  });

  it('switches a step off beside the text, and back by undo', () => {
    const state = stateOf(twoServices);
    state.chooseCamera('cropped');
    state.editSteps('Crop', (edit) => addStep(edit, 'cropped', 0, { type: 'crop' }));
    state.editSteps('Off', (edit) => switchStep(edit, 'cropped', 1, false));
    expect(state.text).not.toContain('resize');
    expect(state.disabled).toHaveLength(1);
    state.undo();
    expect(state.disabled).toHaveLength(0);
    expect(state.text).toContain('resize');
  });

  it('opens a shared configuration as one undoable step', async () => {
    const state = new ConfigState();
    const own = state.text;
    expect(await openSharedLink(state, '#other')).toBe(false);
    expect(await openSharedLink(state, `#config=${shareConfig(twoServices).encoded}`)).toBe(true);
    expect(state.importedText).toBe(twoServices);
    expect(state.notice).toContain('Undo');
    state.undo();
    expect(state.text).toBe(own);
    expect(await openSharedLink(state, '#config=1.!!')).toBe(true);
    expect(state.text).toBe(own);
    expect(state.notice).toContain('unpacked');
  });

  it.each(['[1, 2]', '[1, 2', 'a shopping list', '{"hello": 1}', '{"hello": 1, // so\n}', ''])(
    'refuses a dropped file of %j',
    (text) => {
      const state = new ConfigState();
      const own = state.text;
      expect(state.importFile(text, 'numbers.json')).toBe(false);
      expect([state.text, state.notice, state.undoLabel]).toEqual([own, '', null]);
    },
  );

  it('opens a dropped file', () => {
    const state = new ConfigState();
    expect(state.importFile(twoServices, 'machine.json')).toBe(true);
    expect(state.visionNames).toContain('far');
    expect(state.notice).toContain('machine.json');
  });

  it('starts over with the first service of another configuration, and undo brings the chosen ones back', () => {
    const state = stateOf(twoServices);
    state.chooseVision('far');
    state.chooseCamera('cropped');
    state.importText(`${twoServices}\n`);
    expect([state.visionName, state.cameraName]).toEqual(['near', 'cam']);
    state.undo();
    expect([state.visionName, state.cameraName]).toEqual(['far', 'cropped']);
    state.redo();
    expect([state.visionName, state.cameraName]).toEqual(['near', 'cam']);
  });

  it('comes back as it was left', () => {
    const { kept, storage } = keptStorage();
    const store = new ConfigStore(storage);
    const first = new ConfigState({ store });
    first.importText(twoServices);
    first.chooseVision('far');
    first.chooseCamera(null);
    store.flush();
    const second = new ConfigState({ store: new ConfigStore(storage) });
    expect([second.text, second.visionName, second.cameraName]).toEqual([twoServices, 'far', null]);
    kept.set('sightglass.config', '{"text":1}');
    expect(new ConfigState({ store: new ConfigStore(storage) }).service?.name).toBe('detector');
  });

  it('applies the fix of a finding', () => {
    const state = stateOf(twoServices.replace('"resize"', '"rotate"').replace('"width_px":64', '"angle_deg":90'));
    const finding = state.findings.find(({ code }) => code === 'rotate-angle-key');
    state.fix(finding!);
    expect(state.text).toContain('"angle_degs":90');
    expect(state.undoLabel).toBe('Rename to angle_degs');
  });

  it('lints a drag where it ends, and fixes what stands there by then', () => {
    const state = stateOf(twoServices);
    threshold(state, 0.5);
    threshold(state, 0.7, 'drag');
    expect(state.findings.some(({ code }) => code === 'confidence-float32')).toBe(false);
    state.settle();
    const finding = state.findings.find(({ code }) => code === 'confidence-float32');
    state.edit('Longer name', (text) => text.replace('"cropped"', '"cropped-camera"'));
    state.fix(finding!);
    expect(Math.fround(0.7) >= state.filter.defaultMinimumConfidence).toBe(true);
  });
});
