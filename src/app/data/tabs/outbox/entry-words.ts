import { counted } from '../../../kit/words/figures.ts';
import type { CapturePart, OutboxEntry, PartState } from '../../../../remote/outbox/outbox-entry.ts';

/** The name of an entry in the list. */
export function entryName({ content }: OutboxEntry): string {
  if (content.kind === 'capture') return content.fileName;
  const { length } = content.rows;
  return `${counted(length, 'sensor row')} of ${content.componentName}`;
}

const partNames: Readonly<Record<CapturePart, string>> = {
  image: 'image',
  tags: 'tags',
  datasets: 'dataset',
  boxes: 'boxes',
  classes: 'classes',
};

/** The parts of an entry (image, boxes, tags, dataset), with the state of each. */
export function partsOf({ content }: OutboxEntry): readonly { readonly name: string; readonly state: PartState }[] {
  if (content.kind !== 'capture') return [];
  const parts = Object.entries(content.parts) as [CapturePart, PartState][];
  return parts.filter(([, state]) => state !== 'none').map(([part, state]) => ({ name: partNames[part], state }));
}

export const partStateWords: Readonly<Record<PartState, string>> = {
  waiting: 'not sent yet',
  done: 'stored',
  none: 'nothing to send',
  'not-taken': 'the server accepts none',
};
