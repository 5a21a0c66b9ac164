import type { StageViewport } from './stage-viewport.svelte.ts';

interface StagePoint {
  readonly x: number;
  readonly y: number;
}

/** What a drag does that is not the stage's panning; points in stage px. */
export interface StageDrag {
  move(to: StagePoint): void;
  /** Let go. `travelled`: it was a drag; else a press. */
  end(at: StagePoint, travelled: boolean): void;
  /** A second finger came, or the pointer was taken away. */
  cancel(): void;
}

export interface StagePointerEvents {
  /** pointer over (x, y) in stage px with nothing pressed; null = it left */
  onHover(point: { x: number; y: number } | null): void;
  /** a press that was no drag */
  onTap(point: { x: number; y: number }): void;
  /** Asked at a press of the first pointer; null = the stage pans and taps. */
  startDrag?(point: StagePoint, event: PointerEvent): StageDrag | null;
  /** Given: a double click does not zoom. */
  onDoubleClick?(point: StagePoint): void;
}

const DRAG_FROM_PX = 4;

/** Attachment for the stage: wheel and pinch zoom about the pointer, drag pans, a press selects. */
export function stageGestures(viewport: StageViewport, events: StagePointerEvents) {
  return (stage: HTMLElement) => {
    const pressed = new Map<number, { x: number; y: number }>();
    let travelPx = 0;
    let drag: StageDrag | null = null;

    const pointOf = (event: MouseEvent) => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const onStage = (event: Event) => event.target instanceof Element && !event.target.closest('[data-stage-control]');

    const down = (event: PointerEvent) => {
      if (!onStage(event) || event.button > 1) return;
      drag?.cancel();
      drag = null;
      if (pressed.size === 0) {
        travelPx = 0;
        drag = events.startDrag?.(pointOf(event), event) ?? null;
      }
      pressed.set(event.pointerId, pointOf(event));
      stage.setPointerCapture(event.pointerId);
    };

    const move = (event: PointerEvent) => {
      const to = pointOf(event);
      const from = pressed.get(event.pointerId);
      if (!from) {
        if (pressed.size === 0) events.onHover(onStage(event) ? to : null);
        return;
      }
      travelPx += Math.hypot(to.x - from.x, to.y - from.y);
      if (drag) {
        pressed.set(event.pointerId, to);
        if (travelPx >= DRAG_FROM_PX) drag.move(to);
        return;
      }
      if (travelPx < DRAG_FROM_PX) return;
      const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
      pressed.set(event.pointerId, to);
      if (!other) {
        viewport.panBy(to.x - from.x, to.y - from.y);
        return;
      }
      const before = Math.hypot(from.x - other.x, from.y - other.y);
      const after = Math.hypot(to.x - other.x, to.y - other.y);
      if (before > 0) viewport.zoomTo(viewport.scale * (after / before), (to.x + other.x) / 2, (to.y + other.y) / 2);
      viewport.panBy((to.x - from.x) / 2, (to.y - from.y) / 2);
    };

    const up = (event: PointerEvent) => {
      if (!pressed.delete(event.pointerId)) return;
      if (drag) {
        if (event.type === 'pointerup') drag.end(pointOf(event), travelPx >= DRAG_FROM_PX);
        else drag.cancel();
        drag = null;
        return;
      }
      if (event.type === 'pointerup' && travelPx < DRAG_FROM_PX) events.onTap(pointOf(event));
    };

    const leave = () => events.onHover(null);

    const wheel = (event: WheelEvent) => {
      if (!onStage(event)) return;
      event.preventDefault();
      const { x, y } = pointOf(event);
      // A trackpad's pinch arrives as a wheel with ctrlKey, in finer steps.
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
