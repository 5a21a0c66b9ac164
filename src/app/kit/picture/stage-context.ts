import type { StageViewport } from './stage-viewport.svelte.ts';

/**
 * The cleared drawing context of a canvas that covers the stage, sized for the screen's density and scaled to stage
 * px.
 */
export function stageContext(canvas: HTMLCanvasElement, viewport: StageViewport): CanvasRenderingContext2D | null {
  const { stageWidthPx: width, stageHeightPx: height } = viewport;
  const density = devicePixelRatio;
  const [widthPx, heightPx] = [Math.round(width * density), Math.round(height * density)];
  // Assigning a size, even the same one, reallocates the canvas.
  if (canvas.width !== widthPx) canvas.width = widthPx;
  if (canvas.height !== heightPx) canvas.height = heightPx;
  const context = canvas.getContext('2d');
  context?.setTransform(density, 0, 0, density, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
