import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes, openConfiguration } from './bench-page.ts';

const app = useApp();

/** Each splitter with the panel that it resizes, and the measured dimension. */
const splitters = [
  { label: 'Width of the left panels', region: 'Source, model and transforms', side: 'width', grow: 'ArrowRight' },
  { label: 'Width of the right panels', region: 'Thresholds and results', side: 'width', grow: 'ArrowLeft' },
  { label: 'Height of the configuration', region: 'Configuration', side: 'height', grow: 'ArrowUp' },
] as const;

const shrinkKeys = { ArrowRight: 'ArrowLeft', ArrowLeft: 'ArrowRight', ArrowUp: 'ArrowDown' } as const;

/** The ARIA values of a splitter in px: [now, min, max]. */
async function told(splitter: Locator): Promise<number[]> {
  const names = ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'];
  return Promise.all(names.map(async (name) => Number(await splitter.getAttribute(name))));
}

async function sizePx(page: Page, region: string, side: 'width' | 'height'): Promise<number> {
  return Math.round((await page.getByRole('region', { name: region, exact: true }).boundingBox())![side]);
}

describe('a splitter', () => {
  it('tells its true size and limits, and goes by arrows, Home and End', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await openConfiguration(page);
    for (const given of splitters) {
      const splitter = page.getByRole('separator', { name: given.label });
      const size = () => sizePx(page, given.region, given.side);
      const tellsTheTruth = () =>
        expect
          .poll(async () => {
            const [now, least, most] = await told(splitter);
            return { isTrue: now === (await size()), isWithin: least! <= now! && now! <= most! };
          })
          .toEqual({ isTrue: true, isWithin: true });
      await tellsTheTruth();
      const before = await size();
      await splitter.press(given.grow);
      await expect.poll(size).toBe(before + 16);
      await tellsTheTruth();
      await splitter.press(shrinkKeys[given.grow]);
      await expect.poll(size).toBe(before);

      await splitter.press('Home');
      await expect.poll(size).toBeLessThan(before);
      await tellsTheTruth();
      const [now, least] = await told(splitter);
      expect(now).toBe(least);
      await splitter.press('End');
      await expect.poll(size).toBeGreaterThan(before);
      await tellsTheTruth();
      // In a smaller window the panel is smaller than its setting, and the ARIA value is the actual size.
      await page.setViewportSize({ width: 1180, height: 560 });
      await tellsTheTruth();
      await page.setViewportSize({ width: 1440, height: 900 });
      await splitter.press('Home');
    }
  });
});
