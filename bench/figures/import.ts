import type { Figure } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';
import type { ImportPage } from '../pages/import-page.ts';

const pictureCount = 5_000;
const bareCount = 1_000;

export const figure: Figure = {
  title: `import of ${pictureCount.toLocaleString('en')} JPEGs into the data of the browser, its images in sight`,
  async measure({ openAppOnDisk, pageScript, note }) {
    const page = await openAppOnDisk('#/data/images');
    await page.getByRole('button', { name: 'Import', exact: true }).first().waitFor();
    await page.evaluate(await pageScript('import-files'));
    const put = (count: number) =>
      page.evaluate((pictures) => (globalThis as unknown as ImportPage).putPictures(pictures), count);
    const bareBefore = await put(bareCount);
    // Create the pictures before measuring, because that is a longer task than any of the app.
    await page.evaluate((count) => (globalThis as unknown as ImportPage).pickPictures(count), pictureCount);
    const watch = await watchMainThread(page);
    const { perSecond, longestFrameMs, medianFrameMs } = await page.evaluate(() =>
      (globalThis as unknown as ImportPage).importPicked(),
    );
    const { longestCpuMs, ownShare, othersShare } = await watch.end();
    const bare = (bareBefore + (await put(bareCount))) / 2;
    const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
    note(
      `bare: ${bare.toFixed(0)} pictures/s hashed and put with idb; median frame ${medianFrameMs.toFixed(1)} ms; of all processors the browser used ${percent(ownShare)}, other programs ${percent(othersShare)}`,
    );
    return [
      { name: 'pictures imported a second', value: perSecond, unit: '/s', atLeast: 60 },
      { name: 'import over bare puts', value: perSecond / bare, unit: '×' },
      { name: 'longest frame', value: longestFrameMs, unit: 'ms', atMost: 50 },
      // The duration of a frame includes waiting for processors that other programs use, so bound the page's CPU time.
      { name: 'processor time of the longest task', value: longestCpuMs, unit: 'ms', atMost: 50 },
    ];
  },
};
