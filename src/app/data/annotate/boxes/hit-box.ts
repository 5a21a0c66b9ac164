import { edgeHandles, type WindowHandle } from '../../../kit/picture/pixel-window.ts';
import type { Rect } from '../../../kit/picture/place-chips.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The handle of a rectangle under a point, corners before edges; '': inside, null: outside. `slackPx` reaches
 * outwards, and inwards at most a third of the side, so that a small box can still be dragged by its middle.
 */
export function handleAt(point: Point, rect: Rect, slackPx: number): WindowHandle | null {
  const x = zoneOf(point.x, rect.x, rect.width, slackPx);
  const y = zoneOf(point.y, rect.y, rect.height, slackPx);
  if (x === null || y === null) return null;
  const name = `${['n', '', 's'][y]}${['w', '', 'e'][x]}`;
  return edgeHandles.find((handle) => handle === name) ?? '';
}

/** 0: at the start, 1: between, 2: at the end, null: outside. */
function zoneOf(at: number, start: number, length: number, slackPx: number): 0 | 1 | 2 | null {
  const end = start + length;
  const inwardsPx = Math.min(slackPx, length / 3);
  if (at < start - slackPx || at > end + slackPx) return null;
  if (at <= start + inwardsPx && at - start <= end - at) return 0;
  return at >= end - inwardsPx ? 2 : 1;
}

/** Keys of the rectangles under a point, the smallest first, so that a box inside another one can be selected. */
export function keysAt(
  point: Point,
  boxes: readonly { readonly key: string; readonly rect: Rect }[],
  slackPx: number,
): readonly string[] {
  return boxes
    .filter(({ rect }) => handleAt(point, rect, slackPx) !== null)
    .toSorted((a, b) => a.rect.width * a.rect.height - b.rect.width * b.rect.height)
    .map(({ key }) => key);
}

/** The key that a further click at the same place selects: the one after the selected. */
export function nextUnder(keys: readonly string[], selected: string | null): string | null {
  return keys[(keys.indexOf(selected ?? '') + 1) % keys.length] ?? null;
}

/** CSS cursor of each handle. */
export const handleCursors: Readonly<Record<WindowHandle, string>> = {
  '': 'move',
  n: 'ns-resize',
  s: 'ns-resize',
  e: 'ew-resize',
  w: 'ew-resize',
  nw: 'nwse-resize',
  se: 'nwse-resize',
  ne: 'nesw-resize',
  sw: 'nesw-resize',
};
