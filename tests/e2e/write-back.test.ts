import { describe, expect, it, onTestFinished } from 'vitest';
import type { Locator, Page } from 'playwright';
import { accountKeyId, accountRoutes, type PretendedPart } from '../account-fixture.ts';
import { serveRoutes } from '../serve-routes.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, openConfiguration, setDefaultThreshold } from './bench-page.ts';

const app = useApp();
const key = 's3cret-key';
const config = {
  network: { bind_address: '0.0.0.0:8080' },
  services: [
    {
      name: 'v',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', default_minimum_confidence: 0.5 },
    },
  ],
};

async function served() {
  const part: PretendedPart = { id: 'p1', name: 'gate-main', config, updatedAtMs: 5000 };
  const { url, close } = await serveRoutes(accountRoutes({ parts: [part] }));
  onTestFinished(close);
  return { part, url };
}

async function openDialog(page: Page): Promise<Locator> {
  const drawer = await openConfiguration(page);
  await drawer.getByRole('tab', { name: 'Export' }).click();
  await drawer.getByRole('button', { name: 'Write to the machine …' }).click();
  return page.getByRole('dialog', { name: 'Write to the machine' });
}

async function logIn(dialog: Locator, url: string, typedKey = key): Promise<void> {
  await dialog.getByRole('tab', { name: 'An account' }).click();
  await dialog.getByLabel('Address of the account service').fill(url);
  await dialog.getByLabel('Key id').fill(accountKeyId);
  await dialog.getByLabel('Key', { exact: true }).fill(typedKey);
  await dialog.getByRole('button', { name: 'Log in' }).click();
}

async function readPart(dialog: Locator): Promise<void> {
  await dialog.getByLabel('Location').selectOption('Yard');
  await expect.poll(() => dialog.getByLabel('Part id').inputValue()).toBe('p1');
  await dialog.getByLabel('Part id').press('Enter');
  await dialog.getByText('matches what is tuned here').waitFor();
}

/** Closes the dialog, sets a threshold, and opens the dialog again. */
async function tune(page: Page, dialog: Locator, score: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await setDefaultThreshold(page, score);
  await page.getByRole('button', { name: 'Write to the machine …' }).click();
}

describe('writing back to an account', () => {
  it('is chosen by keyboard and names, shows the entry that was tuned, writes it and takes it back, also after a reload, and not over what someone else changed', async () => {
    const { part, url } = await served();
    const { page } = await app.open({ mayCall: url });
    await expectFirstBoxes(page);
    const dialog = await openDialog(page);
    await dialog.getByRole('tab', { name: 'An account' }).click();
    await dialog.getByText('Keep the key in this browser, encrypted').click();
    await logIn(dialog, url, 'not-the-key');
    await dialog.getByRole('alert').getByText('does not take this key').waitFor();
    expect(await dialog.innerText()).not.toContain('not-the-key');
    await dialog.getByLabel('Key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    const organization = dialog.getByLabel('Organization');
    await expect.poll(() => organization.evaluate((field) => field === document.activeElement)).toBe(true);
    const found = await violations(page, 'the choice of a part');
    await readPart(dialog);

    await tune(page, dialog, '0.7');
    const diff = dialog.getByRole('region', { name: 'What is written' });
    await diff.waitFor();
    await expect
      .poll(() => diff.locator('.removed, .added').allInnerTexts())
      .toEqual([
        expect.stringMatching(/"default_minimum_confidence": 0\.5/),
        expect.stringMatching(/"default_minimum_confidence": 0\.7/),
      ]);
    found.push(...(await violations(page, 'what is written')));
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await dialog.getByText(/^Written\./).waitFor();
    const [service] = config.services;
    expect(part).toMatchObject({
      name: 'gate-main',
      config: {
        network: config.network,
        services: [{ ...service, attributes: { mlmodel_name: 'm', default_minimum_confidence: 0.7 } }],
      },
    });

    await dialog.getByRole('button', { name: 'Undo the write' }).click();
    await dialog.getByText(/^Taken back\./).waitFor();
    expect(part.config).toEqual(config);
    await dialog.getByText('What was written when').click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
    found.push(...(await violations(page, 'the journal')));
    expect(found).toEqual([]);

    // With the key that it was asked to keep, a write is taken back after a reload.
    await tune(page, dialog, '0.8');
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await dialog.getByText(/^Written\./).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Write to the machine …' }).click();
    await dialog.getByRole('tab', { name: 'An account' }).click();
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.getByRole('button', { name: 'Read its configuration' }).click();
    await dialog.getByRole('button', { name: 'Undo the write' }).click();
    await expect.poll(() => part.config).toEqual(config);
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(stored).not.toContain(key);

    // What someone else changed since is not written over: both changes are shown, and written together.
    await dialog.getByText(/^Taken back\./).waitFor();
    await tune(page, dialog, '0.7');
    const theirs = { ...config, network: { bind_address: '0.0.0.0:9090' } };
    Object.assign(part, { config: theirs, updatedAtMs: 90_000 });
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await dialog.getByRole('alert').getByText('changed by someone else').waitFor();
    const there = dialog.getByRole('region', { name: 'Changed there' });
    await expect.poll(() => there.locator('.added').allInnerTexts()).toEqual([expect.stringContaining('9090')]);
    for (const name of ['Changed here', 'Your changes on theirs']) {
      const here = dialog.getByRole('region', { name });
      await expect.poll(() => here.locator('.added').allInnerTexts()).toEqual([expect.stringContaining('0.7')]);
    }
    expect(part.config).toEqual(theirs);
    expect(await violations(page, 'both changes')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => sideways(page)).toBe(0);
    await dialog.getByRole('button', { name: 'Apply my changes again' }).click();
    await dialog.getByText('Nothing is written yet').waitFor();
    expect(part.config).toEqual(theirs);
    await dialog.getByRole('button', { name: 'Write it' }).click();
    await dialog.getByText(/^Written\./).waitFor();
    expect(part.config).toMatchObject({
      network: { bind_address: '0.0.0.0:9090' },
      services: [{ attributes: { mlmodel_name: 'm', default_minimum_confidence: 0.7 } }],
    });
  });
});
