import { stepAttributeFields, isStepType } from '../../../../config/attribute-fields.ts';
import { isObject } from '../../../../config/json-document.ts';
import { matchingKey, parseAttributes } from '../../../../config/parse-attributes.ts';
import { isRelative } from './crop-window.ts';

/** One line of what a step does, with units: "0.1, 0.1 – 0.9, 0.9", "640 × 480 px", "90° clockwise". */
export function stepSummary(type: string, step: unknown): string {
  if (!isStepType(type)) return type === '' ? 'passes the frame unchanged' : 'unknown to the machine';
  const raw = isObject(step) ? step[matchingKey(step, 'attributes') ?? 'attributes'] : undefined;
  switch (type) {
    case 'crop': {
      const { value } = parseAttributes(raw, stepAttributeFields.crop);
      const corners = `${value.x_min_px}, ${value.y_min_px} – ${value.x_max_px}, ${value.y_max_px}`;
      return `${corners}${isRelative(value) ? '' : ' px'}${value.overlay_crop_box ? ', drawn' : ''}`;
    }
    case 'resize': {
      const { value } = parseAttributes(raw, stepAttributeFields.resize);
      return `${value.width_px} × ${value.height_px} px`;
    }
    case 'rotate':
      return `${angleOf(raw)}° clockwise`;
    case 'detections': {
      const { value } = parseAttributes(raw, stepAttributeFields.detections);
      return `${value.detector_name || 'no detector'} ≥ ${value.confidence_threshold}${only(value.valid_labels)}`;
    }
    case 'classifications': {
      const { value } = parseAttributes(raw, stepAttributeFields.classifications);
      const best = `best ${value.max_classifications || 1}`;
      return `${value.classifier_name || 'no classifier'}, ${best} ≥ ${value.confidence_threshold}${only(value.valid_labels)}`;
    }
  }
}

/** The angle as the machine takes it: only the exact key counts, a missing one means 180, null means 0. */
export function angleOf(attributes: unknown): number {
  if (!isObject(attributes) || !Object.hasOwn(attributes, 'angle_degs')) return 180;
  const angle = attributes['angle_degs'];
  return typeof angle === 'number' ? angle : 0;
}

function only(labels: readonly string[]): string {
  return labels.length === 0 ? '' : `, only ${labels.join(', ')}`;
}
