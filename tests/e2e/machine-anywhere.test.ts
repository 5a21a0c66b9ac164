import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountKeyId, type PretendedAccount } from '../account-fixture.ts';
import { imageInput } from '../fixed-session.ts';
import { hasMachine } from '../oracle/machine.ts';
import { accountHost, accountKey, startMachineInAccount } from '../server/machine-in-account.ts';
import { faceDetector } from '../server/machine-resources.ts';
import { startOwnMachine } from '../server/own-machine.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, openPanel, panel, shownDetections } from './bench-page.ts';

const app = useApp();
const key = accountKey;
const host = accountHost;
const parts = { ...faceDetector, attributes: { default_minimum_confidence: 0.5 } };

async function inAccount(more: Pick<PretendedAccount, 'others'> = {}) {
  const inside = await startMachineInAccount(parts, more);
  onTestFinished(() => inside.close());
  return inside;
}

async function openAccount(page: Page) {
  await panel(page, 'Source').getByRole('tab', { name: 'Machine' }).click();
  await panel(page, 'Source').getByRole('button', { name: 'Choose from an account …' }).click();
  return page.getByRole('dialog', { name: 'A machine in your account' });
}

describe.skipIf(!hasMachine)('a machine anywhere (skipped without ../shared/machine and viam-sdk)', () => {
  it('shows boxes on its camera by WebRTC three clicks after its key was pasted, found by name, says the same, runs its model, and says beside its address why not', async () => {
    const names = ['Arm', 'Belt', 'Crane', 'Door', 'Elevator', 'Forklift', 'Greenhouse'];
    const { account } = await inAccount({ others: names.map((name) => ({ name, locationId: 'attic' })) });
    const { page } = await app.open({ mayCall: account.url });
    await expectFirstBoxes(page);
    const dialog = await openAccount(page);
    await dialog.getByLabel('Address of the account service').fill(account.url);
    await dialog.getByLabel('Key id').fill(accountKeyId);
    await dialog.getByLabel('Key', { exact: true }).fill(key);
    await page.evaluate(() => {
      Object.assign(globalThis, { clicks: 0 });
      addEventListener(
        'click',
        ({ isTrusted }) => isTrusted && (globalThis as unknown as { clicks: number }).clicks++,
        true,
      );
    });
    const startMs = performance.now();
    await dialog.getByRole('button', { name: 'Log in' }).click();
    const listed = dialog.getByRole('list', { name: 'Machines' }).getByRole('button');
    await expect.poll(() => listed.count()).toBe(6);
    expect(await listed.first().innerText()).toMatch(/^Gate\s+Yard · online$/); // before those that are offline
    await dialog.getByText('2 more: type a name or location.').waitFor();
    await dialog.getByLabel('Find a machine').fill('gree attic');
    await expect
      .poll(() => listed.allInnerTexts())
      .toEqual([expect.stringMatching(/^Greenhouse\s+Attic · offline since/)]);
    await dialog.getByLabel('Find a machine').fill('gate');
    await listed.click();
    await expect.poll(() => dialog.getByLabel('Part id').inputValue()).toBe('p1');
    expect(await violations(page, 'choosing')).toEqual([]);
    await dialog.getByRole('button', { name: 'Show its camera' }).click();
    await dialog.waitFor({ state: 'detached' });

    const source = panel(page, 'Source');
    await source.getByText(`Connected to ${host}`).waitFor();
    await source.getByText(/By WebRTC over the local network/).waitFor();
    const word = panel(page, 'Results').getByRole('region', { name: 'The machine’s answer' });
    await word.getByText('has the same labels and boxes').waitFor();
    expect(await shownDetections(page)).toHaveLength(3);
    expect(await page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)).toBe(3);
    // Ten seconds on a computer that does nothing else; one that runs tests is slower.
    expect(performance.now() - startMs).toBeLessThan(30_000);
    expect(await violations(page, 'connected')).toEqual([]);

    // Its model runs there, over the same connection.
    const model = await openPanel(page, 'Model');
    await model.getByRole('button', { name: 'Change' }).click();
    await model.getByRole('button', { name: 'Use this model' }).click();
    await page.getByRole('button', { name: `Send frames to ${host}` }).click();
    await model.getByText(`Runs on ${host}`).waitFor();
    await expect.poll(() => shownDetections(page)).toHaveLength(3);

    await source.getByRole('button', { name: 'Disconnect' }).click();

    // One that is not online, or whose key is refused, says so beside its address, on a phone too.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Source' }).click();
    const address = page.getByLabel('Address of a machine');
    await address.fill(`webrtc://attic.abc123.example/?via=${account.url}`);
    await source.getByLabel('Key id').fill(accountKeyId);
    await source.getByLabel('Key', { exact: true }).fill('wrong');
    await address.press('Enter');
    await source.getByText(/does not take this key: key \[key\] is not known/).waitFor();
    await source.getByLabel('Key', { exact: true }).fill(key);
    await address.press('Enter');
    await source.getByText('attic.abc123.example is not online').waitFor();
    expect(await sideways(page)).toBe(0);
  });
});

it('a machine whose model is in a registry package says so beside its camera, and offers to run it', async () => {
  const path = '${packages.ml_model.people}/people.tflite';
  const module = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel-tflite:tflite_cpu' };
  const services = [
    { ...module, attributes: { model_path: path } },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', camera_name: 'cam' } },
  ];
  const picture = new Uint8Array(await readFile(faceDetector.framePath));
  const run = () => Promise.reject(new Error('not asked to run'));
  const model = { inputs: [imageInput([1, 4, 4, 3])], outputs: [], run };
  const part = { id: 'p1', name: 'gate-main', config: { services }, fqdn: host, updatedAtMs: 5000 };
  const own = await startOwnMachine({ image: () => picture, mediaType: 'image/jpeg', model }, { parts: [part] });
  onTestFinished(() => own.close());
  const { page } = await app.open({ mayCall: own.account.url });
  await expectFirstBoxes(page);
  // The code that connects to a machine may be pasted whole.
  const source = panel(page, 'Source');
  await source.getByRole('tab', { name: 'Machine' }).click();
  const code = `RobotClient.Options.with_api_key(api_key='abcdefghijklmnopqrstuvwxyz012345', api_key_id='0a1b2c3d-0000-4000-8000-0123456789ab')
    return await RobotClient.at_address('robot-main.abc123.viam.cloud', opts)`;
  await page.getByLabel('Address of a machine').fill(code);
  expect(await page.getByLabel('Address of a machine').inputValue()).toBe('robot-main.abc123.viam.cloud');
  expect(await source.getByLabel('Key id').inputValue()).toBe('0a1b2c3d-0000-4000-8000-0123456789ab');
  expect(await source.getByLabel('Key', { exact: true }).inputValue()).toBe('abcdefghijklmnopqrstuvwxyz012345');

  const dialog = await openAccount(page);
  await dialog.getByLabel('Address of the account service').fill(own.account.url);
  await dialog.getByLabel('Key id').fill(accountKeyId);
  await dialog.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await dialog.getByRole('list', { name: 'Machines' }).getByRole('button').first().click();
  await expect.poll(() => dialog.getByLabel('Part id').inputValue()).toBe('p1');
  await dialog.getByRole('button', { name: 'Show its camera' }).click();
  await page
    .getByRole('dialog', { name: `Let ${host} run m?` })
    .getByRole('button', { name: 'Cancel' })
    .click();

  await source.getByText('The bench does not have the model of v: drop its file, or let the machine run it.').waitFor();
  const words = `v runs ${path} on the machine. It is in the registry package “people”, which no page can fetch.`;
  await panel(page, 'Model').getByText(words).waitFor();
  expect(await violations(page, 'without its model')).toEqual([]);
  await source.getByRole('button', { name: 'Let the machine run it …' }).click();
  await page.getByRole('dialog', { name: `Let ${host} run m?` }).waitFor();
});
