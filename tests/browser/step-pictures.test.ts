import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import '../../src/app/theme.css';
import { ConfigState } from '../../src/app/bench/config/config-state.svelte.ts';
import { SourceStages } from '../../src/app/bench/session/source-stages.svelte.ts';
import TransformsPanel from '../../src/app/bench/panels/transforms/TransformsPanel.svelte';
import { ViewState } from '../../src/app/bench/view/view-state.svelte.ts';
import type { StageInfo } from '../../workers/vision/protocol.ts';
import { Given } from './given.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

const stages: readonly StageInfo[] = [
  { type: '', step: -1, widthPx: 1280, heightPx: 720, thumbnail: null },
  { type: 'crop', step: 0, widthPx: 640, heightPx: 360, thumbnail: null },
];

/** Shows the panel at the top of a scrolling column of 100 px. */
function show(source: Given<{ readonly isStreaming: boolean }>) {
  const view = new ViewState({ getItem: () => null, setItem: () => undefined });
  view.setPanelOpen('transforms', true);
  const config = new ConfigState();
  const way = new SourceStages();
  way.take(stages, true);
  const bench = {
    config,
    view,
    steps: [],
    session: { way, listed: null },
    get sources() {
      return source.current;
    },
  } as never;
  const column = document.createElement('div');
  column.style.cssText = 'height: 100px; overflow: auto';
  document.body.replaceChildren(column);
  const panel = mount(TransformsPanel, { target: column, props: { bench } });
  column.append(Object.assign(document.createElement('div'), { style: 'height: 2000px' }));
  close = () => void unmount(panel);
  return { view, column };
}

it('asks for pictures of a stream while their strip is in sight, and of a still always', async () => {
  const source = new Given({ isStreaming: true });
  const { view, column } = show(source);
  await expect.poll(() => view.thumbnails).toBe(true);
  column.scrollTop = 1000;
  await expect.poll(() => view.thumbnails).toBe(false);
  source.current = { isStreaming: false };
  flushSync();
  expect(view.thumbnails).toBe(true);
  source.current = { isStreaming: true };
  flushSync();
  expect(view.thumbnails).toBe(false);
  column.scrollTop = 0;
  await expect.poll(() => view.thumbnails).toBe(true);
  view.setPanelOpen('transforms', false);
  flushSync();
  expect(view.thumbnails).toBe(false);
});
