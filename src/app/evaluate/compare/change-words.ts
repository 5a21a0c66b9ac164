import type { ChangedBox } from '../../../evaluation/compare/compare-detections.ts';
import type { FrameBox } from './frame-boxes.ts';

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

const scoreText = (score: number): string => score.toFixed(2);

/** What becomes of a box, in words: "person 0.81 vanishes". */
export function changeWords({ kind, movedPx }: ChangedBox, first: FrameBox | null, second: FrameBox | null): string {
  const [before, after] = [first, second].map((box) => box && `${box.label} ${scoreText(box.score)}`);
  switch (kind) {
    case 'vanished':
      return `${before} vanishes`;
    case 'appeared':
      return `${after} appears`;
    case 'relabelled':
      return `${before} becomes ${after}`;
    case 'moved':
      return `${before} moves by ${movedPx.toFixed(1)} px`;
  }
}
