import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as pipeline from './edit-pipeline.ts';
import type { PipelineEdit } from './edit-pipeline.ts';
import { parseMachineConfig } from '../parse/parse-machine-config.ts';
import { sampleConfigText } from '../share/sample-config.ts';

const camera = 'tuned-camera';
const crop = { type: 'crop', attributes: { x_max_px: 0.5, y_max_px: 1 } };
const resize = { type: 'resize', attributes: { width_px: 4, height_px: 3 } };
const rotate = { type: 'rotate', attributes: { angle_degs: 90 } };
const start: PipelineEdit = { text: sampleConfigText, disabled: [] };
const filled = [crop, resize, rotate].reduce((edit, step, at) => pipeline.addStep(edit, camera, at, step), start);
const shown = (edit: PipelineEdit) =>
  pipeline.listSteps(edit, camera).map(({ enabled, type }) => (enabled ? type : `(${type})`));
const onMachine = (edit: PipelineEdit) => {
  const found = parseMachineConfig(edit.text).config.cameras.find(({ name }) => name === camera);
  return found?.kind === 'transform' ? found.pipeline.map(({ type }) => type) : [];
};

describe('pipeline steps', () => {
  it('replace the lone pass-through step and leave it behind', () => {
    expect(shown(start)).toEqual([]);
    expect(onMachine(filled)).toEqual(['crop', 'resize', 'rotate']);
    const emptied = [0, 0, 0].reduce((edit, at) => pipeline.removeStep(edit, camera, at), filled);
    expect(emptied.text).toBe(sampleConfigText);
    expect(onMachine(emptied)).toEqual(['']);
  });

  it.each([
    [0, 2, ['resize', 'rotate', 'crop']],
    [2, 0, ['rotate', 'crop', 'resize']],
    [1, 1, ['crop', 'resize', 'rotate']],
  ])('move from %i to %i', (from, to, expected) => {
    expect(onMachine(pipeline.moveStep(filled, camera, from, to))).toEqual(expected);
  });

  it('leave the JSON when switched off and come back to their place', () => {
    const off = pipeline.switchStep(filled, camera, 1, false);
    expect(shown(off)).toEqual(['crop', '(resize)', 'rotate']);
    expect(onMachine(off)).toEqual(['crop', 'rotate']);
    const on = pipeline.switchStep(off, camera, 1, true);
    expect(on).toEqual(filled);
  });

  it('keep the place of a step that is off while others come, go and move', () => {
    const off = pipeline.switchStep(filled, camera, 1, false);
    expect(shown(pipeline.removeStep(off, camera, 0))).toEqual(['(resize)', 'rotate']);
    expect(shown(pipeline.addStep(off, camera, 0, rotate))).toEqual(['rotate', 'crop', '(resize)', 'rotate']);
    expect(shown(pipeline.moveStep(off, camera, 1, 2))).toEqual(['crop', 'rotate', '(resize)']);
  });

  it('may all be off', () => {
    const off = [0, 1, 2].reduce((edit, at) => pipeline.switchStep(edit, camera, at, false), filled);
    expect(shown(off)).toEqual(['(crop)', '(resize)', '(rotate)']);
    expect(onMachine(off)).toEqual(['']);
    expect(shown(pipeline.switchStep(off, camera, 1, true))).toEqual(['(crop)', 'resize', '(rotate)']);
  });

  it('take new attributes, on or off', () => {
    const off = pipeline.switchStep(filled, camera, 1, false);
    const attributes = { width_px: 8, height_px: 6 };
    for (const [edit, at] of [
      [filled, 1],
      [off, 1],
    ] as const) {
      const changed = pipeline.setStepAttributes(edit, camera, at, attributes);
      expect(pipeline.listSteps(changed, camera)[at]?.step).toEqual({ type: 'resize', attributes });
    }
    expect(() => pipeline.setStepAttributes(filled, camera, 7, {})).toThrow('no step 7');
  });

  it('follow a plain list through any series of edits', () => {
    const action = fc.record({
      kind: fc.constantFrom('add', 'remove', 'move', 'switch'),
      at: fc.nat(5),
      to: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
        let edit = start;
        let model: string[] = [];
        for (const { kind, at: wish, to: wishTo } of actions) {
          const at = Math.min(wish, Math.max(0, model.length - 1));
          const to = Math.min(wishTo, Math.max(0, model.length - 1));
          const was = model[at];
          if (kind === 'add' || was === undefined) {
            const step = { type: 'rotate', attributes: { angle_degs: model.length } };
            edit = pipeline.addStep(edit, camera, at, step);
            model = model.toSpliced(at, 0, 'rotate');
          } else if (kind === 'remove') {
            edit = pipeline.removeStep(edit, camera, at);
            model = model.toSpliced(at, 1);
          } else if (kind === 'move') {
            edit = pipeline.moveStep(edit, camera, at, to);
            model = model.toSpliced(at, 1).toSpliced(to, 0, was);
          } else {
            edit = pipeline.switchStep(edit, camera, at, was.startsWith('('));
            model = model.with(at, was.startsWith('(') ? 'rotate' : '(rotate)');
          }
          expect(shown(edit)).toEqual(model);
          expect(parseMachineConfig(edit.text).problems).toEqual([]);
        }
      }),
      { seed: 20261121, numRuns: 60 },
    );
  });
});
