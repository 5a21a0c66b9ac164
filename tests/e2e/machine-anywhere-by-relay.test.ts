import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { quietFlags } from '../../scripts/chromium.ts';
import { writePngFile } from '../../src/platform/node/frame-file.ts';
import { accountKeyId } from '../account-fixture.ts';
import { hasMachine } from '../oracle/machine.ts';
import { randomFrame, randomSource } from '../random-frame.ts';
import { accountHost, accountKey, startMachineInAccount } from '../server/machine-in-account.ts';
import { faceDetector } from '../server/machine-resources.ts';
import { temporaryFolder } from '../server/server-process.ts';
import { builtApp, visit, type RunningApp } from './app.ts';
import { expectFirstBoxes, panel } from './bench-page.ts';
import { hasTwoNetworks, openTwoNetworks, thisComputerFlag, type TwoNetworks } from './two-networks.ts';

/** A machine that is back is to show its next frame within 5 s; a computer that runs tests is slower. */
const backWithinMs = 20_000;

// Making networks tells every browser of the computer that its network changed, which fails requests of other journeys.
describe.skipIf(!process.env['NIGHTLY'] || !hasMachine || !hasTwoNetworks)(
  'a machine in another network (skipped by day, and without ../shared/machine, viam-sdk, root and coturn)',
  () => {
    let networks: TwoNetworks;
    let app: RunningApp;
    let browser: Browser;
    beforeAll(async () => {
      [networks, app] = await Promise.all([openTwoNetworks(), builtApp()]);
      await networks.letReach(app.url);
      const args = [...quietFlags, thisComputerFlag(networks)];
      browser = await chromium.launch({ executablePath: networks.browserPath, args });
    });
    afterAll(async () => {
      await browser?.close();
      await networks?.close();
    });

    /** A page that shows the machine's camera. */
    async function connected(iceServers = networks.iceServers) {
      const framePath = join(await temporaryFolder(), 'frame.png');
      const random = randomSource(3);
      const show = async (widthPx: number, heightPx: number): Promise<void> => {
        await writePngFile(`${framePath}.next`, randomFrame(random, 'rgba8', widthPx, heightPx, 'opaque'));
        await rename(`${framePath}.next`, framePath);
      };
      await show(80, 60);
      const { ofMachine } = networks;
      const inside = await startMachineInAccount(
        { ...faceDetector, framePath, attributes: { default_minimum_confidence: 0.5 } },
        { place: ofMachine, iceServers },
      );
      onTestFinished(() => inside.close());
      await networks.letReach(inside.account.url);
      const { page, context } = await visit(browser, app.url, { mayCall: inside.account.url });
      onTestFinished(() => context.close());
      await expectFirstBoxes(page);
      const source = panel(page, 'Source');
      await source.getByRole('tab', { name: 'Machine' }).click();
      await page.getByLabel('Address of a machine').fill(`webrtc://${accountHost}/?via=${inside.account.url}`);
      await source.getByText('The machine asks for a key').click();
      await source.getByLabel('Key id').fill(accountKeyId);
      await source.getByLabel('Key', { exact: true }).fill(accountKey);
      await page.getByLabel('Address of a machine').press('Enter');
      return { page, source, show };
    }

    const framesOn = async (page: Page): Promise<number> => {
      const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
      return Number(/Scores of ([\d,]+) frames?/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
    };

    it('is reached by a relay, and again when its network is back', async () => {
      const { page, source, show } = await connected();
      const byRelay = source.getByText(/By WebRTC by a relay/);
      await byRelay.waitFor();
      await page.getByText('80 × 60', { exact: true }).waitFor();

      networks.ofPage.set('down');
      await source.getByText(/has not answered since .*The last frame stays/).waitFor();
      await byRelay.waitFor({ state: 'detached' }); // the connection is given up: the next call dials
      networks.ofPage.set('up');
      const backAtMs = performance.now();
      await show(96, 64);
      await page.getByText('96 × 64', { exact: true }).waitFor();
      expect(performance.now() - backAtMs).toBeLessThan(backWithinMs);
      await byRelay.waitFor();
    });

    it('shows its newest frames where a packet takes 200 ms there and back and one of fifty is lost, and the page does not freeze', async () => {
      networks.weather.now = { delayMs: 100, lostShare: 0.02 };
      onTestFinished(() => void (networks.weather.now = { delayMs: 0, lostShare: 0 }));
      const { page, source, show } = await connected();
      await source.getByText(/by a relay, (2|3)\d\d ms there and back/).waitFor();
      await page.getByText('80 × 60', { exact: true }).waitFor();
      const before = await framesOn(page);
      const longestGapMs = page.evaluate(
        (gapsOf) =>
          new Promise<number>((resolve) => {
            let [longest, count, last] = [0, 0, performance.now()];
            const tick = (nowMs: number): void => {
              longest = Math.max(longest, nowMs - last);
              last = nowMs;
              if (++count < gapsOf) requestAnimationFrame(tick);
              else resolve(longest);
            };
            requestAnimationFrame(tick);
          }),
        200,
      );
      await expect.poll(() => framesOn(page)).toBeGreaterThan(before + 3);
      expect(await longestGapMs).toBeLessThan(1_000);
      await show(96, 64);
      await page.getByText('96 × 64', { exact: true }).waitFor();
      expect(await source.getByText(/has not answered since/).count()).toBe(0);
    });

    it('is not reached without a relay, and the page says why', async () => {
      const { source } = await connected([]);
      await source.getByText(`${accountHost} answered, but no direct connection to it was found`).waitFor();
    });
  },
);
