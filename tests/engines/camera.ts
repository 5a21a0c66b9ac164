import { expect } from 'vitest';
import { captured } from './bench.ts';
import type { EnginePage } from './engine-page.ts';

/** On the bench: runs the model on the engine's own fake camera, from a click until a click. */
export async function runOnCamera(page: EnginePage): Promise<void> {
  const shown = () => page.evaluate(() => document.body.innerText);
  await page.click({ css: '[role="tab"]', name: 'Webcam' });
  await page.click({ css: 'button', name: 'Start', within: 'Source' });
  await expect.poll(shown).toContain('webcam live');
  const indices = new Set<number>();
  const capturedFrames = async () => indices.add((await captured(page, {})).source.index).size;
  await expect.poll(capturedFrames).toBeGreaterThan(2);
  await page.click({ css: 'button', name: 'Stop', within: 'Source' });
  await expect.poll(shown).toContain('webcam stopped');
}
