import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import { expectFirstBoxes, openConfiguration, openPanel, panel } from './bench-page.ts';

const app = useApp();

/** The computed value of a system colour in the forced palette. */
function systemColour(page: Page, name: string): Promise<string> {
  return page.evaluate((colour) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = `forced-color-adjust: none; color: ${colour}`;
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return computed;
  }, name);
}

const style = (shown: Locator, property: string, pseudo = ''): Promise<string> =>
  shown.evaluate(
    (element, [name, part]) => getComputedStyle(element, part || null).getPropertyValue(name!),
    [property, pseudo],
  );

describe('in forced colours', () => {
  it('every kind of control shows what is chosen, and axe finds nothing', async () => {
    const { page } = await app.open({ forcedColors: 'active', reducedMotion: 'reduce' });
    await expectFirstBoxes(page);
    const [chosen, textOnChosen] = [await systemColour(page, 'Highlight'), await systemColour(page, 'HighlightText')];
    const background = (shown: Locator): Promise<string> => style(shown, 'background-color');

    const header = page.getByRole('navigation', { name: 'Areas' });
    expect(await background(header.getByRole('link', { name: 'Bench' }))).toBe(chosen);
    expect(await background(header.getByRole('link', { name: 'Data' }))).not.toBe(chosen);

    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).waitFor();
    await page.mouse.move(0, 0); // avoid hover styles, which end a frame later
    const toggle = page.getByRole('button', { name: 'Configuration', exact: true });
    await expect
      .poll(async () => [await background(toggle), await style(toggle, 'color')])
      .toEqual([chosen, textOnChosen]);

    await openPanel(page, 'Model');
    await page.mouse.move(0, 0);
    for (const segments of ['Kind of source', 'Backend', 'Which thresholds', 'Configuration']) {
      const list = page.getByRole('tablist', { name: segments });
      const on = list.locator('[aria-selected=true]');
      expect([segments, await background(on), await style(on, 'color')]).toEqual([segments, chosen, textOnChosen]);
      expect(await background(list.locator('[aria-selected=false]').first())).not.toBe(chosen);
    }

    const ghosts = page.getByRole('switch', { name: 'Ghosts' }).first();
    const track = page.locator('label', { has: ghosts }).locator('i');
    const off = [await background(track), await style(track, 'background-color', '::after')];
    expect(off[0]).not.toBe(off[1]); // the thumb is seen on its track
    expect(await style(track, 'border-top-width')).not.toBe('0px');
    await ghosts.press('Space');
    const on = async () => [await background(track), await style(track, 'background-color', '::after')];
    await expect.poll(on).toEqual([chosen, textOnChosen]);

    const swatch = panel(page, 'Results').locator('tbody i').first();
    expect(await background(swatch)).not.toBe(await systemColour(page, 'Canvas'));
    expect(await style(swatch, 'forced-color-adjust')).toBe('none');
    expect(await style(page.getByLabel('Colour of face').first(), 'forced-color-adjust')).toBe('none');

    const slider = page.getByRole('slider', { name: 'Threshold of face' });
    expect(await style(slider, 'forced-color-adjust')).toBe('none');
    expect(await style(slider, '--ink')).toBe('CanvasText');

    const fit = page.getByRole('button', { name: 'Fit the frame' });
    expect(await fit.getAttribute('aria-pressed')).toBe('true');
    expect(await background(fit)).toBe(chosen);

    await ghosts.focus();
    await page.keyboard.press('Shift+Tab');
    const focused = page.locator(':focus-visible');
    expect(await style(focused, 'outline-style')).toBe('solid');
    expect(Number.parseFloat(await style(focused, 'outline-width'))).toBeGreaterThanOrEqual(2);

    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    expect(await violations(page, 'the bench')).toEqual([]);
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Data' }).click();
    await page.getByRole('navigation', { name: 'Data' }).waitFor();
    expect(await violations(page, 'the data area')).toEqual([]);
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
  });
});
