import {
  addTransformCamera,
  freeName,
  setAllLabelConfidences,
  setCameraName,
  setDefaultConfidence,
  setModelAttributes,
} from '../../../config/edit-config.ts';
import { addStep, listSteps, type PipelineEdit } from '../../../config/edit-pipeline.ts';
import type { Cure } from '../../../fit/solver/cure.ts';

/** Where a fix is written. */
export interface CureTarget {
  readonly service: string;
  /** the service's camera; null: the bare source */
  readonly camera: { readonly name: string; readonly isTransform: boolean } | null;
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
  if (camera?.isTransform) return addStep(written, camera.name, listSteps(written, camera.name).length, step);
  const name = freeName(text, 'upright-camera');
  const added = addTransformCamera(text, { name, source: camera?.name ?? 'camera', pipeline: [step] });
  return { ...edit, text: setCameraName(added, service, name) };
}
