import { attributePath, readAttribute, transformEntry } from './edit-config.ts';
import { EditError, insertAt, moveItem, removeAt, setAt } from '../json/edit-json.ts';
import { isObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';

/**
 * Steps that are switched off are no part of the machine's format, so they are not in the JSON: the app keeps them in
 * a list beside it, and every export leaves them out without more. A step that is off remembers how many of its
 * camera's steps that are on stand before it; the edits below keep those counts right.
 */
export interface DisabledStep {
  readonly camera: string;
  /** steps of the pipeline in the JSON that come before it */
  readonly before: number;
  /** the step's value, as it stood in the JSON */
  readonly step: unknown;
}

/** A configuration text with the steps that are switched off. */
export interface PipelineEdit {
  readonly text: string;
  readonly disabled: readonly DisabledStep[];
}

export interface ListedStep {
  readonly enabled: boolean;
  readonly type: string;
  readonly step: unknown;
  /** position in the pipeline of the JSON; null when off */
  readonly pipelineIndex: number | null;
}

/** Stands alone in a pipeline that would be empty, which the machine refuses; it passes frames on unchanged. */
export const passThroughStep = { type: '' } as const;

/**
 * Lists the steps of a transform camera, on and off. A lone step that passes frames on unchanged counts as none.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @returns in the order of the list that a person sees
 * @throws EditError `no-such-value` if there is no such transform camera
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }] };
 * const text = JSON.stringify({ components: [{ ...camera, attributes }] });
 * const disabled = [{ camera: 'c', before: 1, step: { type: 'crop' } }];
 * listSteps({ text, disabled }, 'c').map(({ type, enabled }) => [type, enabled]); // => [['rotate', true], ['crop', false]]
 */
export function listSteps({ text, disabled }: PipelineEdit, camera: string): readonly ListedStep[] {
  const enabled = pipelineOf(text, camera);
  const off = disabled.filter((step) => step.camera === camera);
  const listed: ListedStep[] = [];
  for (let index = 0; index <= enabled.length; index++) {
    for (const { before, step } of off) {
      if (Math.min(before, enabled.length) === index) {
        listed.push({ enabled: false, type: typeOf(step), step, pipelineIndex: null });
      }
    }
    if (index < enabled.length) {
      listed.push({ enabled: true, type: typeOf(enabled[index]), step: enabled[index], pipelineIndex: index });
    }
  }
  return listed;
}

/**
 * Adds a step to a transform camera.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @param at position in `listSteps` that the step gets; the list's length: at the end
 * @param step as in the JSON
 * @returns the text and the steps that are off, both anew
 * @throws EditError `no-such-value` if there is no such transform camera
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }] };
 * const edit = { text: JSON.stringify({ components: [{ ...camera, attributes }] }), disabled: [] };
 * listSteps(addStep(edit, 'c', 0, { type: 'crop' }), 'c').map(({ type }) => type); // => ['crop', 'rotate']
 */
export function addStep(edit: PipelineEdit, camera: string, at: number, step: unknown): PipelineEdit {
  return arrange(edit, camera, (steps) => steps.toSpliced(at, 0, { enabled: true, step }));
}

/**
 * Removes a step of a transform camera, on or off.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @param at position in `listSteps`
 * @returns the text and the steps that are off, both anew
 * @throws EditError `no-such-value` if there is no such transform camera
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }, { type: 'crop' }] };
 * const edit = { text: JSON.stringify({ components: [{ ...camera, attributes }] }), disabled: [] };
 * listSteps(removeStep(edit, 'c', 0), 'c').map(({ type }) => type); // => ['crop']
 */
export function removeStep(edit: PipelineEdit, camera: string, at: number): PipelineEdit {
  return arrange(edit, camera, (steps) => steps.toSpliced(at, 1));
}

/**
 * Moves a step of a transform camera.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @param from position in `listSteps`
 * @param to position that the step has afterwards
 * @returns the text and the steps that are off, both anew
 * @throws EditError `no-such-value` if there is no such transform camera
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }, { type: 'crop' }] };
 * const edit = { text: JSON.stringify({ components: [{ ...camera, attributes }] }), disabled: [] };
 * listSteps(moveStep(edit, 'c', 0, 1), 'c').map(({ type }) => type); // => ['crop', 'rotate']
 */
export function moveStep(edit: PipelineEdit, camera: string, from: number, to: number): PipelineEdit {
  return arrange(edit, camera, (steps) => {
    const moved = steps[from];
    return moved ? steps.toSpliced(from, 1).toSpliced(to, 0, moved) : steps;
  });
}

/**
 * Switches a step of a transform camera on or off. A step that is off leaves the JSON and stays in `disabled`.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @param at position in `listSteps`
 * @param enabled whether the step is on afterwards
 * @returns the text and the steps that are off, both anew
 * @throws EditError `no-such-value` if there is no such transform camera
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }, { type: 'crop' }] };
 * const edit = { text: JSON.stringify({ components: [{ ...camera, attributes }] }), disabled: [] };
 * switchStep(edit, 'c', 0, false).disabled; // => [{ camera: 'c', before: 0, step: { type: 'rotate' } }]
 */
export function switchStep(edit: PipelineEdit, camera: string, at: number, enabled: boolean): PipelineEdit {
  return arrange(edit, camera, (steps) => steps.map((step, index) => (index === at ? { ...step, enabled } : step)));
}

/**
 * Replaces the attributes of a step, on or off.
 * @param edit the text, and the steps that are off
 * @param camera its name
 * @param at position in `listSteps`
 * @param attributes as in the JSON
 * @returns the text and the steps that are off, both anew
 * @throws EditError `no-such-value` if there is no such camera or step
 * @example
 * const camera = { name: 'c', api: 'rdk:component:camera', model: 'transform' };
 * const attributes = { source: 's', pipeline: [{ type: 'rotate' }] };
 * const edit = { text: JSON.stringify({ components: [{ ...camera, attributes }] }), disabled: [] };
 * listSteps(setStepAttributes(edit, 'c', 0, { angle_degs: 90 }), 'c')[0].step.attributes; // => { angle_degs: 90 }
 */
export function setStepAttributes(edit: PipelineEdit, camera: string, at: number, attributes: unknown): PipelineEdit {
  const target = listSteps(edit, camera)[at];
  if (!target) throw new EditError('no-such-value', `${camera} has no step ${at}.`);
  if (target.pipelineIndex !== null) {
    const path = [...pipelinePath(edit.text, camera), target.pipelineIndex, 'attributes'];
    return { ...edit, text: setAt(edit.text, path, attributes) };
  }
  const changed = isObject(target.step) ? { ...target.step, attributes } : { type: target.type, attributes };
  return {
    ...edit,
    disabled: edit.disabled.map((step) => (step.step === target.step ? { ...step, step: changed } : step)),
  };
}

interface ArrangedStep {
  readonly enabled: boolean;
  readonly step: unknown;
  readonly pipelineIndex?: number | null;
}

/** Brings the JSON and the list of disabled steps to a new order, touching only the steps that moved, came or went. */
function arrange(
  edit: PipelineEdit,
  camera: string,
  change: (steps: readonly ArrangedStep[]) => readonly ArrangedStep[],
): PipelineEdit {
  const wanted = change(listSteps(edit, camera));
  const path = pipelinePath(edit.text, camera);
  const on = wanted.filter((step) => step.enabled);
  const others = edit.disabled.filter((step) => step.camera !== camera);
  let before = 0;
  const off = wanted.flatMap(({ enabled, step }): DisabledStep[] => {
    if (enabled) before++;
    return enabled ? [] : [{ camera, before, step }];
  });
  return { text: arrangePipeline(edit.text, path, camera, on), disabled: [...others, ...off] };
}

function arrangePipeline(text: string, path: JsonPath, camera: string, wanted: readonly ArrangedStep[]): string {
  let result = text;
  const present = pipelineOf(text, camera).map((_, index) => index);
  if (present.length === 0)
    return setAt(text, path, wanted.length ? wanted.map(({ step }) => step) : [passThroughStep]);
  if (wanted.length === 0) return setAt(text, path, [passThroughStep]);
  const kept = new Set(wanted.map(({ pipelineIndex }) => pipelineIndex));
  for (let index = present.length - 1; index >= 0; index--) {
    if (kept.has(index)) continue;
    result = removeAt(result, [...path, index]);
    present.splice(index, 1);
  }
  for (const [position, { step, pipelineIndex }] of wanted.entries()) {
    const from = typeof pipelineIndex === 'number' ? present.indexOf(pipelineIndex) : -1;
    if (from < 0) {
      result = insertAt(result, path, position, step);
      present.splice(position, 0, -1);
    } else if (from !== position) {
      result = moveItem(result, path, from, position);
      present.splice(position, 0, ...present.splice(from, 1));
    }
  }
  return result;
}

function pipelinePath(text: string, camera: string): JsonPath {
  return attributePath(transformEntry(text, camera), 'pipeline');
}

function pipelineOf(text: string, camera: string): readonly unknown[] {
  const pipeline = readAttribute(transformEntry(text, camera), 'pipeline');
  if (!Array.isArray(pipeline)) return [];
  const steps: readonly unknown[] = pipeline;
  return steps.length === 1 && typeOf(steps[0]) === '' ? [] : steps;
}

function typeOf(step: unknown): string {
  return isObject(step) && typeof step['type'] === 'string' ? step['type'] : '';
}
