import {
  addStep,
  addTransformCamera,
  freeName,
  listSteps,
  type PipelineEdit,
  setAllLabelConfidences,
  setCameraName,
  setDefaultConfidence,
  setModelAttributes,
} from '../../../machine/config/face/edits.ts';
import type { Cure } from '../../../models/fit/solver/cure.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';

/** Where a fix is written. */
export interface CureTarget {
  readonly service: string;
  /** the service's camera; null: the bare source */
  readonly camera: { readonly name: string; readonly isTransform: boolean } | null;
}

/** The tuned service, and the camera that it looks through. */
export function cureTarget(
  { cameraName, camera }: Pick<ConfigState, 'cameraName' | 'camera'>,
  service: string,
): CureTarget {
  return { service, camera: cameraName === null ? null : { name: cameraName, isTransform: camera !== null } };
}

/** Writes a fix into a configuration: attributes of the service, its filter, and a step that rotates the frame. */
export function writeCure(
  edit: PipelineEdit,
  { edits, filter, turnDegs }: Cure,
  { service, camera }: CureTarget,
): PipelineEdit {
  let { text } = edit;
  text = setModelAttributes(text, service, edits.attributes);
  if (edits.labelConfidences) text = setAllLabelConfidences(text, service, edits.labelConfidences);
  if (filter) {
    text = setAllLabelConfidences(text, service, filter.labelConfidences);
    text = setDefaultConfidence(text, service, filter.defaultMinimumConfidence);
  }
  const written = { ...edit, text };
  if (turnDegs === 0) return written;
  const step = { type: 'rotate', attributes: { angle_degs: turnDegs } };
  return addLastStep(written, { service, camera }, step, 'upright-camera');
}

/**
 * Adds a step behind all others of the camera that a service looks through; one that is no transform camera gets one before it, named anew.
 * @param newName what the new camera is called where that is free
 */
export function addLastStep(
  edit: PipelineEdit,
  { service, camera }: CureTarget,
  step: Parameters<typeof addStep>[3],
  newName: string,
): PipelineEdit {
  if (camera?.isTransform) return addStep(edit, camera.name, listSteps(edit, camera.name).length, step);
  const name = freeName(edit.text, newName);
  const added = addTransformCamera(edit.text, { name, source: camera?.name ?? 'camera', pipeline: [step] });
  return { ...edit, text: setCameraName(added, service, name) };
}
