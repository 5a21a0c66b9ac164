import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import '../../src/app/theme.css';
import { FrameHistory } from '../../src/app/bench/session/frame-history.svelte.ts';
import SeenScope from '../../src/app/bench/session/SeenScope.svelte';
import type { FrameResult } from '../../workers/vision/protocol.ts';

it('says whose frames are counted as one sentence, with the gap of a word between its parts', async () => {
  const history = new FrameHistory();
  history.enter('these pictures');
  const detections = { count: 1, labels: ['cat'], labelIndex: Uint32Array.of(0), score: Float64Array.of(0.9) };
  for (const index of [0, 1])
    history.add({
      frame: { index, name: `${index}.jpg` },
      detections,
      classifications: null,
    } as unknown as FrameResult);
  history.renew();
  const target = document.createElement('main');
  target.style.width = '300px';
  document.body.replaceChildren(target);
  const shown = mount(SeenScope, { target, props: { history } });
  onTestFinished(() => unmount(shown));
  const said = page.getByText('Scores of 2 frames of');
  await expect.element(said).toBeVisible();
  const edges = said.element().getBoundingClientRect();
  const source = page.getByText('these pictures').element().getBoundingClientRect();
  const fontPx = Number.parseFloat(getComputedStyle(said.element()).fontSize);
  expect(source.left - edges.right).toBeGreaterThan(0.2 * fontPx);
  expect(source.left - edges.right).toBeLessThan(0.4 * fontPx);
});
