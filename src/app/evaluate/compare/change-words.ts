import type { ChangedBox } from '../../../evidence/evaluation/face/comparison.ts';
import { dropText } from '../../../machine/vision/face/filters.ts';
import type { FrameBox } from '../comparison/frame-boxes.ts';

/** How a box is marked: a sign beside its label, so that colour is not needed to tell kinds. */
export const changeSigns: Readonly<Record<FrameBox['kind'], string>> = {
  vanished: '−',
  appeared: '+',
  relabelled: '≠',
  moved: '↔',
  same: '',
};

export const changeNames: Readonly<Record<ChangedBox['kind'], string>> = {
  vanished: 'Vanish',
  appeared: 'Appear',
  relabelled: 'Label changes',
  moved: 'Move',
};

const boxText = (box: FrameBox | null): string => (box ? `${box.label} ${box.score.toFixed(2)}` : '');

/** Why a side does not keep a box that the other one keeps. */
const whyText = (side: 'A' | 'B', box: FrameBox | null): string =>
  box?.drop ? `${side} drops it: ${dropText(box.drop)}` : `${side} finds no such box`;

/** What becomes of a box, in words: "person 0.81 vanishes; B drops it: 0.41 < 0.50". */
export function changeWords({ kind, movedPx }: ChangedBox, first: FrameBox | null, second: FrameBox | null): string {
  switch (kind) {
    case 'vanished':
      return `${boxText(first)} vanishes; ${whyText('B', first)}`;
    case 'appeared':
      return `${boxText(second)} appears; ${whyText('A', second)}`;
    case 'relabelled':
      return `${boxText(first)} becomes ${boxText(second)}`;
    case 'moved':
      return `${boxText(first)} moves by ${movedPx.toFixed(1)} px`;
  }
}
