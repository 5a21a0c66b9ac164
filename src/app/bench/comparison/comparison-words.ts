import { counted } from '../../kit/words/figures.ts';
import type { KeptChanges } from './compare-kept.ts';
import type { Apart } from './service-beside.ts';

/** "3 vanish, 0 appear, 1 label changes, 2 move by more than 2 px": from A to B. */
export function changesText({ vanished, appeared, relabelled, moved }: KeptChanges['counts']): string {
  const verb = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
  return [
    verb(vanished, 'vanishes', 'vanish'),
    verb(appeared, 'appears', 'appear'),
    verb(relabelled, 'label changes', 'labels change'),
    verb(moved, 'moves by more than 2 px', 'move by more than 2 px'),
  ].join(', ');
}

/** Why two services cannot be compared on the frames of the stage. */
export function apartText(visionName: string, { why, theirs, ours }: Apart): string {
  switch (why) {
    case 'no-service':
      return `The configuration no longer has the vision service ${visionName}.`;
    case 'other-camera':
      return `${visionName} looks through ${theirs}, and the stage shows ${ours}: their boxes belong to different pictures.`;
    case 'after-steps':
      return `The live machine gives pictures of ${ours || 'its camera'}, and ${visionName} needs those of ${theirs || 'a camera without steps'}.`;
  }
}

export const tooManyText = (first: number, second: number): string =>
  `${counted(Math.max(first, second), 'box')} are too many to compare one by one on every frame: raise a threshold.`;
