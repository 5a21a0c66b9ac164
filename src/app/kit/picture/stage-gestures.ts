import type { StageViewport } from './stage-viewport.svelte.ts';

interface StagePoint {
  readonly x: number;
  readonly y: number;
}

/** A drag that does something other than panning; points in stage px. */
export interface StageDrag {
  move(to: StagePoint): void;
  /** The pointer was released. `travelled`: it had moved; otherwise it was a click. */
  end(at: StagePoint, travelled: boolean): void;
  /** A second finger touched the stage, or the pointer was lost. */
  cancel(): void;
}

export interface StagePointerEvents {
  /** the pointer is over (x, y) in stage px and not pressed; null: it left the stage */
  onHover?(point: { x: number; y: number } | null): void;
  /** a click without movement */
  onTap?(point: { x: number; y: number }): void;
  /** Called when the first pointer is pressed; null: the stage pans and taps. */
  startDrag?(point: StagePoint, event: PointerEvent): StageDrag | null;
  /** If given, a double click calls this and does not zoom. */
  onDoubleClick?(point: StagePoint): void;
}

/**
 * The pointers at the moment when one was added or removed: the frame point under their centre stays under it while
 * they move.
 */
interface Grip {
  /** frame px */
  readonly under: StagePoint;
  /** mean distance of the pointers from their centre, stage px; 0: one pointer */
  readonly reachPx: number;
  /** stage px per frame px */
  readonly scale: number;
}

const DRAG_FROM_PX = 4;

function spreadOf(points: readonly StagePoint[]): { readonly middle: StagePoint; readonly reachPx: number } {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  return { middle, reachPx: mean(points.map(({ x, y }) => Math.hypot(x - middle.x, y - middle.y))) };
}

/** Attachment for the stage: wheel and pinch zoom about the pointer, a drag pans, and a click selects. */
export function stageGestures(viewport: StageViewport, events: StagePointerEvents) {
  return (stage: HTMLElement) => {
    const pressed = new Map<number, StagePoint>();
    let grip: Grip | null = null;
    let travelPx = 0;
    let isPress = false;
    let drag: StageDrag | null = null;

    const pointOf = (event: MouseEvent) => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const onStage = (event: Event) => event.target instanceof Element && !event.target.closest('[data-stage-control]');

    const gripped = (): Grip | null => {
      if (pressed.size === 0) return null;
      const { middle, reachPx } = spreadOf([...pressed.values()]);
      return { under: viewport.toFrame(middle.x, middle.y), reachPx, scale: viewport.scale };
    };

    /**
     * Movement is measured from the start of the gesture, not from event to event: what a limit held back is
     * regained on the way back.
     */
    const follow = ({ under, reachPx: beforePx, scale }: Grip) => {
      const { middle, reachPx } = spreadOf([...pressed.values()]);
      viewport.hold(under, middle.x, middle.y, beforePx > 0 ? scale * (reachPx / beforePx) : viewport.scale);
    };

    const down = (event: PointerEvent) => {
      if (!onStage(event) || event.button > 1) return;
      drag?.cancel();
      drag = null;
      isPress = pressed.size === 0;
      if (isPress) {
        travelPx = 0;
        drag = events.startDrag?.(pointOf(event), event) ?? null;
      }
      pressed.set(event.pointerId, pointOf(event));
      grip = gripped();
      stage.setPointerCapture(event.pointerId);
    };

    const move = (event: PointerEvent) => {
      const to = pointOf(event);
      const from = pressed.get(event.pointerId);
      if (!from) {
        if (pressed.size === 0) events.onHover?.(onStage(event) ? to : null);
        return;
      }
      travelPx += Math.hypot(to.x - from.x, to.y - from.y);
      pressed.set(event.pointerId, to);
      if (travelPx < DRAG_FROM_PX) return;
      if (drag) drag.move(to);
      else if (grip) follow(grip);
    };

    const up = (event: PointerEvent) => {
      if (!pressed.delete(event.pointerId)) return;
      grip = gripped();
      if (drag) {
        if (event.type === 'pointerup') drag.end(pointOf(event), travelPx >= DRAG_FROM_PX);
        else drag.cancel();
        drag = null;
        return;
      }
      if (event.type === 'pointerup' && isPress && travelPx < DRAG_FROM_PX) events.onTap?.(pointOf(event));
    };

    const leave = () => events.onHover?.(null);

    const wheel = (event: WheelEvent) => {
      if (!onStage(event)) return;
      event.preventDefault();
      const { x, y } = pointOf(event);
      // A trackpad's pinch arrives as wheel events with ctrlKey, in finer steps.
      const perPx = event.ctrlKey ? 0.01 : 0.0016;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      viewport.zoomTo(viewport.scale * Math.exp(-event.deltaY * lines * perPx), x, y);
    };

    const doubleClick = (event: MouseEvent) => {
      if (!onStage(event)) return;
      const { x, y } = pointOf(event);
      if (events.onDoubleClick) events.onDoubleClick({ x, y });
      else if (viewport.fitted) viewport.zoomTo(1, x, y);
      else viewport.fit();
    };

    const abort = new AbortController();
    const { signal } = abort;
    stage.addEventListener('pointerdown', down, { signal });
    stage.addEventListener('pointermove', move, { signal });
    stage.addEventListener('pointerup', up, { signal });
    stage.addEventListener('pointercancel', up, { signal });
    stage.addEventListener('pointerleave', leave, { signal });
    stage.addEventListener('wheel', wheel, { signal, passive: false });
    stage.addEventListener('dblclick', doubleClick, { signal });
    return () => abort.abort();
  };
}
