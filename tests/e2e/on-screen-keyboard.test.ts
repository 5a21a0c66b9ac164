import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { draw } from './draw-box.ts';
import { pictureShown } from './picture-shown.ts';

const app = useApp();
const phone = { width: 390, height: 844 };
/** What the keyboard of a phone leaves of it. `interactive-widget=resizes-content` lays the page out in the rest. */
const besideKeyboard = { width: 390, height: 508 };

const typed = ['text', 'number', 'search', 'password', 'url', 'email', 'date', 'datetime-local', 'time'];
const fieldsCss = [
  ...typed.map((type) => `input[type="${type}"]`),
  'input:not([type])',
  'textarea',
  '.cm-content',
].join();

/** Why a field that has the focus cannot be seen while the keyboard is up: "input Seconds: under nav Panels"; '' if it can. */
async function hiddenBy(page: Page, field: Locator): Promise<string> {
  const isCode = await field.evaluate((element) => element.matches('.cm-content'));
  // An editor scrolls to its line when the keyboard comes; to other fields the browser scrolls, whenever it came.
  if (isCode) await page.setViewportSize(phone);
  await page.setViewportSize(besideKeyboard);
  const look = async () => {
    // The browser scrolls to the field itself once its keyboard is there; in an editor, to the line that is typed in.
    if (!isCode) await field.scrollIntoViewIfNeeded();
    return await field.evaluate((element) => {
      const line = element.querySelector('.cm-activeLine') ?? element;
      const { left, top, width, height } = line.getBoundingClientRect();
      const name = `${element.localName} ${element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent.trim() ?? ''}`;
      // Of a field of many lines, the first.
      for (const down of [3, Math.min(height, 44) - 3]) {
        const [x, y] = [left + Math.min(width, 80) / 2, top + down];
        const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
        if (hit === null || y < 0 || y > innerHeight) return `${name}: at ${Math.round(y)} of ${innerHeight}`;
        if (!element.contains(hit) && !hit.contains(element)) return `${name}: under ${hit.outerHTML.slice(0, 90)}`;
      }
      return '';
    });
  };
  let found = '';
  await expect
    .poll(async () => (found = await look()))
    .toBe('')
    .catch(() => undefined); // laid out anew, and scrolled in an editor, some frames later
  return found;
}

/** The fields of a screen that the keyboard would hide, each focused in turn, and how many there are. */
async function hiddenFields(page: Page): Promise<{ readonly hidden: readonly string[]; readonly count: number }> {
  const hidden: string[] = [];
  let count = 0;
  for (const field of await page.locator(fieldsCss).filter({ visible: true }).all()) {
    if (!(await field.isEditable())) continue;
    await field.focus();
    if (!(await field.evaluate((element) => element.matches(':focus')))) continue; // behind a dialog
    count++;
    const found = await hiddenBy(page, field);
    if (found) hidden.push(found);
  }
  await page.setViewportSize(phone);
  return { hidden, count };
}

it('leaves every field of a phone in sight when the keyboard comes', async () => {
  const { page } = await app.open({ viewport: phone, hasTouch: true, isMobile: true });
  const found: Record<string, readonly string[]> = {};
  const look = async (screen: string, atLeast = 1) => {
    const seen = page.locator(fieldsCss).filter({ visible: true });
    await expect.poll(() => seen.count(), { message: screen }).toBeGreaterThanOrEqual(atLeast);
    const { hidden, count } = await hiddenFields(page);
    if (hidden.length > 0) found[screen] = hidden;
    expect(count, screen).toBeGreaterThanOrEqual(atLeast);
  };
  const tapTab = (name: string) => page.getByRole('tab', { name, exact: true }).tap();
  const tapButton = (name: string) => page.getByRole('button', { name, exact: true }).first().tap();

  await page.getByText('3 kept').waitFor();
  await tapTab('Machine');
  await look('bench: a machine');
  await tapTab('URL');
  await look('bench: an address');
  await tapTab('Steps');
  for (const step of ['crop', 'resize', 'rotate']) {
    await tapButton(step);
    await look(`bench: ${step}`);
  }
  await tapTab('Tune');
  await look('bench: thresholds', 2);
  await tapTab('By label');
  await look('bench: thresholds by label', 2);
  await tapTab('Keep');
  await page.getByLabel('Seconds between captures').waitFor();
  await look('bench: captures', 3);
  await tapTab('Config');
  await page.locator('.cm-content').waitFor();
  await page.locator('.cm-line').nth(10).tap();
  await look('bench: configuration');

  await page.goto(`${app.url}#/data/images`);
  await openDataClient(page);
  const id = await uploadSample(page, 'sample1.jpg');
  await page.reload();
  await page.locator('[role="option"]').first().waitFor();
  await tapButton('Filter');
  await look('data: filter', 10);
  await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}`);
  await page.getByLabel('Tags').waitFor();
  await look('data: an image');
  await page.goto(`${app.url}#/data/images/${encodeURIComponent(id)}/edit`);
  await page.getByLabel('New label').waitFor();
  await pictureShown(page);
  await look('box editor');
  await page.getByRole('application').focus();
  await page.keyboard.press('n');
  await draw(page, [0.35, 0.35], [0.6, 0.6]);
  await page.getByLabel('Label', { exact: true }).waitFor();
  await look('box editor: a box', 5);
  await tapButton('Comment');
  await look('box editor: a comment', 5);

  await page.goto(`${app.url}#/data/query`);
  await page.locator('.cm-content').waitFor();
  await look('data: SQL');
  await tapTab('MQL');
  await look('data: MQL');
  for (const [tab, button] of [
    ['pipelines', 'New pipeline'],
    ['datasets', 'New dataset'],
    ['settings', 'Add a server'],
  ] as const) {
    await page.goto(`${app.url}#/data/${tab}`);
    await page.getByRole('button', { name: button }).first().waitFor();
    if (tab === 'settings') await look('data: settings', 2);
    await tapButton(button);
    await look(`data: ${button}`);
  }
  expect(found).toEqual({});

  // The text of fields is one that Safari on a phone does not zoom into, and has room.
  await page.goto(`${app.url}#/bench`);
  await tapTab('Steps');
  // What only Safari on phones and tablets takes of the styles, taken here as well.
  const taken = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    const ofSafari = rules.filter(
      (rule): rule is CSSSupportsRule =>
        rule instanceof CSSSupportsRule && rule.conditionText.includes('touch-callout'),
    );
    const sheet = new CSSStyleSheet();
    for (const { cssRules } of ofSafari) for (const { cssText } of cssRules) sheet.insertRule(cssText);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet.cssRules.length;
  });
  expect(taken).toBeGreaterThan(0);
  for (const tab of ['Steps', 'Tune', 'Keep']) {
    await page.getByRole('tab', { name: tab, exact: true }).tap();
    if (tab === 'Steps') await page.locator('[data-step]').first().tap();
    const fields = page.locator(fieldsCss).filter({ visible: true });
    await fields.first().waitFor();
    const faults = await fields.evaluateAll((all) =>
      all.flatMap((field) => {
        const px = Number.parseFloat(getComputedStyle(field).fontSize);
        return px < 16 || field.scrollWidth > field.clientWidth ? [`${field.getAttribute('aria-label')} ${px}px`] : [];
      }),
    );
    expect(faults).toEqual([]);
  }
});
