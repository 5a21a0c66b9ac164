import type { CapturePart, OutboxEntry, PartState } from '../../../../outbox/outbox-entry.ts';

/** What an entry is called in the list. */
export function entryName({ content }: OutboxEntry): string {
  if (content.kind === 'capture') return content.fileName;
  const { length } = content.rows;
  return `${length.toLocaleString('en')} sensor ${length === 1 ? 'row' : 'rows'} of ${content.componentName}`;
}

/** How long until something is tried again: "in 12 s", "in 3 min". */
export function untilText(dueMs: number, nowMs: number): string {
  const seconds = Math.ceil((dueMs - nowMs) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`;
}

const partNames: Readonly<Record<CapturePart, string>> = {
  image: 'image',
  tags: 'tags',
  datasets: 'dataset',
  boxes: 'boxes',
  classes: 'classes',
};

/** The parts of an entry that there are, with how far each is. */
export function partsOf({ content }: OutboxEntry): readonly { readonly name: string; readonly state: PartState }[] {
  if (content.kind !== 'capture') return [];
  const parts = Object.entries(content.parts) as [CapturePart, PartState][];
  return parts.filter(([, state]) => state !== 'none').map(([part, state]) => ({ name: partNames[part], state }));
}

export const partStateWords: Readonly<Record<PartState, string>> = {
  waiting: 'not sent yet',
  done: 'stored',
  none: 'nothing to send',
  'not-taken': 'the server takes none',
};
