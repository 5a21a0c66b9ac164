import { isObject } from '../../../machine/config/face/json.ts';
import { counted } from '../../kit/words/figures.ts';
import type { ShelfRecord } from './shelf-records.svelte.ts';

/** The settings of a model on the shelf, in a few words; '': nothing but the usual. */
export function settingsWords(record: Pick<ShelfRecord, 'settings' | 'labels'> | null): string {
  const vision = record?.settings?.vision ?? {};
  const byLabel = vision['label_confidences'];
  const minimum = vision['default_minimum_confidence'];
  const thresholds = isObject(byLabel) ? Object.keys(byLabel).length : 0;
  const words = [
    thresholds > 0 && counted(thresholds, 'label threshold'),
    thresholds === 0 && typeof minimum === 'number' && `from ${minimum}`,
    vision['input_image_bgr'] === true && 'BGR',
    record?.labels && counted(record.labels.file.labels.length, 'label'),
  ];
  return words.filter((word) => typeof word === 'string').join(', ');
}
