import { create } from '@bufbuild/protobuf';
import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import '../../src/app/theme.css';
import { fittedScale } from '../../src/app/data/tabs/images/fitted-scale.ts';
import PictureStage from '../../src/app/data/tabs/images/PictureStage.svelte';
import { LABEL_COLOURS, LabelColours } from '../../src/app/kit/colours/label-colours.svelte.ts';
import { StageViewport } from '../../src/app/kit/picture/stage-viewport.svelte.ts';
import { BoundingBoxSchema } from '../../src/gen/app/data/v1/data_pb.ts';
import { memoryStorage } from '../memory-storage.ts';

let close: () => void = () => undefined;
afterEach(() => close());

it('shows a stored picture in its own size, and zooms it with its boxes about the pointer', async () => {
  const target = document.createElement('main');
  target.style.cssText = 'display: flex; width: 600px; height: 400px';
  document.body.replaceChildren(target);
  const viewport = new StageViewport(fittedScale);
  const box = create(BoundingBoxSchema, {
    id: '1',
    label: 'cup',
    xMinNormalized: 0.5,
    yMinNormalized: 0.5,
    xMaxNormalized: 1,
    yMaxNormalized: 1,
  });
  const bitmap = await createImageBitmap(new ImageData(300, 200));
  const props = { bitmap, boxes: [box], name: 'a picture', viewport };
  const context = new Map([[LABEL_COLOURS, new LabelColours(memoryStorage())]]);
  const shown = mount(PictureStage, { target, props, context });
  close = () => void unmount(shown);

  const stage = target.querySelector('[aria-label="a picture"]')!;
  const { left, top } = target.getBoundingClientRect();
  const placeOf = (selector: string): number[] => {
    const rect = stage.querySelector(selector)!.getBoundingClientRect();
    return [rect.left - left, rect.top - top, rect.width, rect.height].map(Math.round);
  };
  await expect.poll(() => placeOf('canvas')).toEqual([150, 100, 300, 200]);
  expect(placeOf('.box')).toEqual([300, 200, 150, 100]);

  const at = { clientX: left + 300, clientY: top + 200, bubbles: true, cancelable: true };
  stage.dispatchEvent(new MouseEvent('dblclick', at));
  await expect.poll(() => placeOf('.box')).toEqual([300, 200, 450, 300]);
  stage.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -500 }));
  await expect.poll(() => viewport.scale).toBeGreaterThan(4);
  expect(placeOf('.box').slice(0, 2)).toEqual([300, 200]);
  stage.dispatchEvent(new MouseEvent('dblclick', at));
  await expect.poll(() => placeOf('canvas')).toEqual([150, 100, 300, 200]);
});
