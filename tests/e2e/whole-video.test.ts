import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { writeMp4 } from '../../src/base/mp4/write-mp4.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';
import { expectFirstBoxes, panel, pickModel } from './bench-page.ts';
import { temporaryFolder } from './test-media.ts';

const app = useApp();

const frameUs = 100_000;
const rawHead = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);

/** Writes an MP4 video of `count` frames, ten a second: the first sample with its three faces, and black from `dark[0]` up to `dark[1]`. */
async function writeFaceVideo(page: Page, path: string, count: number, dark: readonly [number, number]): Promise<void> {
  const encoded = await page.evaluate(
    async ({ count, dark: [from, to], frameUs }) => {
      const sample = await createImageBitmap(await (await fetch('builtin/frames/sample1.jpg')).blob());
      const canvas = new OffscreenCanvas(384, 256);
      const context = canvas.getContext('2d')!;
      const chunks: { base64: string; isKey: boolean; timeUs: number }[] = [];
      let codec = '';
      const encoder = new VideoEncoder({
        output(chunk, metadata) {
          codec ||= metadata?.decoderConfig?.codec ?? '';
          const bytes = new Uint8Array(chunk.byteLength);
          chunk.copyTo(bytes);
          const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
          chunks.push({ base64, isKey: chunk.type === 'key', timeUs: chunk.timestamp });
        },
        error(error) {
          throw error;
        },
      });
      encoder.configure({ codec: 'vp09.00.20.08', width: 384, height: 256, bitrate: 1_000_000 });
      for (let at = 0; at < count; at++) {
        context.clearRect(0, 0, 384, 256);
        if (at < from || at >= to) context.drawImage(sample, 0, 0, 384, 256);
        const frame = new VideoFrame(canvas, { timestamp: at * frameUs, alpha: 'discard' });
        encoder.encode(frame, { keyFrame: at % 10 === 0 });
        frame.close();
      }
      await encoder.flush();
      encoder.close();
      return { codec, chunks };
    },
    { count, dark, frameUs },
  );
  const bytes = encoded.chunks.map(({ base64 }) => Buffer.from(base64, 'base64'));
  const samples = encoded.chunks.map(({ isKey, timeUs }, at) => ({ isKey, timeUs, sizeBytes: bytes[at]!.length }));
  const track = { codec: encoded.codec, widthPx: 384, heightPx: 256 };
  const { head, tail } = writeMp4(track, samples, count * frameUs);
  await writeFile(path, Buffer.concat([head, ...bytes, tail]));
}

async function savedFile(page: Page, button: string): Promise<{ readonly name: string; readonly path: string }> {
  const [download] = await Promise.all<[Promise<Download>, Promise<void>]>([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ] as never);
  return { name: download.suggestedFilename(), path: await download.path() };
}

async function saved(page: Page, button: string): Promise<{ readonly name: string; readonly text: string }> {
  const { name, path } = await savedFile(page, button);
  return { name, text: await readFile(path, 'utf8') };
}

/** Presses "Pause" in the task in which a frame was run: the run is over before a click from here comes, on a fast or a busy computer. */
const pauseWhenRunning = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const watching = new MutationObserver(() => {
          const dialog = document.querySelector('dialog[open]');
          const isRunning = /Running: [1-9]/.test(dialog?.querySelector('[role=status]')?.textContent ?? '');
          const buttons = [...(dialog?.querySelectorAll('button') ?? [])];
          const pause = buttons.find(({ textContent }) => textContent.trim() === 'Pause');
          if (!isRunning || !pause) return;
          watching.disconnect();
          pause.click();
          resolve();
        });
        watching.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );

/** The colours of some pixels of a video's first frame. */
const coloursOf = (
  page: Page,
  base64: string,
  places: readonly (readonly [x: number, y: number])[],
): Promise<(readonly [red: number, green: number, blue: number])[]> =>
  page.evaluate(
    async ({ base64, places }) => {
      const video = document.createElement('video');
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      video.src = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
      await new Promise((resolve) => (video.onloadeddata = resolve));
      // Until it was told to show a frame, a video that is on no page is black.
      video.currentTime = 0.001;
      await new Promise((resolve) => (video.onseeked = resolve));
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext('2d')!;
      context.drawImage(video, 0, 0);
      const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
      return places.map(([x, y]) => {
        const at = 4 * (y * width + x);
        return [data[at]!, data[at + 1]!, data[at + 2]!] as const;
      });
    },
    { base64, places },
  );

const isRed = ([red, green, blue]: readonly [number, number, number]): boolean =>
  red > 150 && green < 110 && blue < 110;

describe('all of a video', () => {
  it('is run to its end over a reload, filtered by a drag, and saved', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const path = join(temporaryFolder(), 'door.mp4');
    await writeFaceVideo(page, path, 40, [15, 25]);
    await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(path);
    await page.getByRole('toolbar', { name: 'Video' }).waitFor();

    const paused = pauseWhenRunning(page);
    await page.getByRole('button', { name: 'Run all of it' }).click();
    const dialog = page.getByRole('dialog', { name: 'All of door.mp4' });
    const status = dialog.getByRole('status');
    await paused;
    await expect.poll(() => status.innerText()).toMatch(/^Paused at \d+ of 40 frames/);
    await expect.poll(() => keptFrames(page)).toBeGreaterThan(0);
    const before = await keptFrames(page);

    await page.reload();
    await expect.poll(() => status.innerText()).toBe('All 40 frames were run');
    await dialog.getByText(new RegExp(`\\b${before} frames? from before`)).waitFor();

    const raw = await saved(page, 'Raw results (JSONL)');
    expect(raw.name).toBe('door-run.jsonl');
    const lines = raw.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.slice(1, -1).map((line) => [line['frame'], line['timeMs']])).toEqual(
      Array.from({ length: 40 }, (_, at) => [at, 100 * at]),
    );
    expect(lines.at(-1)).toEqual({ end: { frames: 40, failed: 0 } });

    const rowsAt = async () => (await saved(page, 'Table (CSV)')).text.trim().split('\n').slice(1);
    const rows = await rowsAt();
    const framesWithFaces = new Set(rows.map((row) => Number(row.split(',')[0])));
    expect([...framesWithFaces].filter((frame) => frame >= 15 && frame < 25)).toEqual([]);
    expect(framesWithFaces.size).toBe(30);

    // Faces come, go and come again: three changes, and a jump to the second.
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await expect.poll(() => changes.count()).toBe(3);
    await changes.nth(1).getByRole('button').click();
    await dialog.getByRole('img', { name: 'door.mp4: Nothing is kept' }).waitFor();
    expect(await dialog.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext')).toBe('0:01.50');
    await dialog.getByRole('button', { name: 'Previous frame' }).click();
    await dialog.getByRole('img', { name: /door\.mp4: face 0\.\d\d, face/ }).waitFor();

    // As the machine draws it: the edges of the first frame's first box are red.
    const [, , , , , left, top, right, bottom] = rows[0]!.split(',').map(Number) as number[];
    const boxed = await savedFile(page, 'Video with boxes');
    expect(boxed.name).toBe('door-boxes.mp4');
    const [x, y] = [(left! + right!) >> 1, (top! + bottom!) >> 1];
    const places = [[left!, y], [right!, y], [x, bottom!], [x, top!], [left! - 10, top! - 10]] as const; // prettier-ignore
    const bytes = (await readFile(boxed.path)).toString('base64');
    await expect // a player is black for a moment after it has sought
      .poll(async () => (await coloursOf(page, bytes, places)).map(isRed))
      .toEqual([true, true, true, true, false]);

    expect(await violations(page, 'a whole video')).toEqual([]);
    expect(await sideways(page)).toBe(0);

    // A threshold above every score keeps nothing, and nothing runs again.
    await dialog
      .getByRole('slider', { name: /^Threshold of/ })
      .first()
      .fill('1');
    await expect.poll(() => changes.count()).toBe(0);
    expect(await rowsAt()).toEqual([]);
    const report = await saved(page, 'Report');
    expect(report.text).toContain('Run over door.mp4');

    // Another model, of whose raw head no line says anything: those of the former one do not stay as if they were its.
    await dialog
      .getByRole('slider', { name: /^Threshold of/ })
      .first()
      .fill('0.5');
    await expect.poll(() => changes.count()).toBe(3);

    // Events: three of five frames begin one, fewer than two end it. The machine has no such rule.
    await dialog.getByText('Events of a label').click();
    await dialog.getByText('2 events. Without the rule: 2.').waitFor();
    await dialog.getByText('The first is reported 200 ms after the first frame that counts.').waitFor();
    const events = dialog.getByRole('list', { name: 'Events of face' }).getByRole('button');
    expect(await events.allInnerTexts()).toEqual([
      expect.stringMatching(/^0:00\.20\s+1\.5 s · 0\.\d\d$/),
      expect.stringMatching(/^0:02\.70\s+1\.2 s · 0\.\d\d$/),
    ]);
    // They are in the label's row of the timeline, too: from 0.2 to 1.7 s of 4 s, and from 2.7 to 3.9 s.
    const inRow = dialog.getByRole('region', { name: 'Timeline' }).locator('path.events').first();
    expect(await inRow.getAttribute('d')).toBe('M2.00 100V86H17.00V100zM27.00 100V86H39.00V100z');
    await events.nth(1).click();
    await expect
      .poll(() => dialog.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext'))
      .toBe('0:02.70');
    const setNumber = async (name: string, value: string) => {
      await dialog.getByRole('spinbutton', { name }).fill(value);
      await page.keyboard.press('Enter');
    };
    await setNumber('Reported at most once in so many minutes, by label', '1');
    await dialog.getByText('2 events, 1 reported. Without the rule: 2.').waitFor();
    await setNumber('Frames with the label, at least', '20');
    await dialog.getByText('0 events, 0 reported').waitFor({ state: 'detached' });
    await dialog.getByText('0 events. Without the rule: 2.').waitFor();
    await setNumber('Frames with the label, at least', '3');
    await setNumber('Of so many frames in a row', '5');
    await dialog.getByText('2 events, 1 reported').waitFor();
    await dialog.getByText('Events of a label').click();

    // A filtered camera: its worker takes an image at 1, 2, 3 and 4 s, the data manager asks at 0.5, 1.5, 2.5 and 3.5 s.
    await dialog.getByText('What a filtered camera would keep').click();
    await dialog.getByRole('button', { name: 'Add a filtered camera' }).click();
    await dialog.getByText('Keeps 5 images instead of 4 (125 %)').waitFor();
    const images = dialog.getByRole('listbox', { name: 'Images that would be kept' }).getByRole('option');
    expect(await images.evaluateAll((options) => options.map((option) => option.getAttribute('aria-label')))).toEqual([
      '0:00.50, trigger: face',
      '0:01.00, after',
      '0:02.00, after',
      '0:03.00, before',
      '0:03.50, trigger: face',
    ]);
    await dialog.getByText('No frame has corrected boxes, so what is missed is not known.').waitFor();
    await dialog.getByText('Frames for a dataset').click();
    await dialog.getByRole('button', { name: /^Keep \d+ frames$/ }).click();
    await dialog.getByText(/^\d+ frames kept in this browser\./).waitFor();
    await page.keyboard.press('Escape');
    await correctNewestCapture(page);
    await page.getByRole('link', { name: 'Bench', exact: true }).click();
    await page.getByRole('button', { name: 'Run all of it' }).click();
    await dialog.getByText('What a filtered camera would keep').click();
    const truth = '1 corrected frame: keeps 1 of 1 (100 %) with face. 0 of 1 (0 %) kept have nothing';
    await dialog.getByText(truth).waitFor();
    await dialog.getByText('A frame counts as kept where an image within 500 ms is.').waitFor();
    await images.nth(2).click();
    await dialog.getByRole('img', { name: 'door.mp4: Nothing is kept' }).waitFor();
    expect(await violations(page, 'a filtered camera')).toEqual([]);
    await dialog.getByRole('button', { name: 'Compare from here' }).click();
    await dialog.getByRole('slider', { name: 'Score that face must exceed' }).fill('1');
    await dialog.getByText('Keeps 0 % instead of 125 %, and loses 2 of 2 events instead of 0.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo: Score of face in tuned-camera-filtered' }).waitFor();
    await pickModel(page, 'raw.onnx', rawHead);
    await panel(page, 'Model').getByText('It runs, but gives no boxes yet.').waitFor();
    await page.getByRole('button', { name: 'Run all of it' }).click();
    await expect.poll(() => status.innerText()).toBe('All 40 frames were run');
    await dialog.getByText('The outputs of this model are not classes. Make it machine-ready.').waitFor();
    expect([await changes.count(), await dialog.getByRole('slider', { name: /^Threshold of/ }).count()]).toEqual([
      0, 0,
    ]);
  });
});

/** Deletes a box of the capture that came last. */
async function correctNewestCapture(page: Page): Promise<void> {
  // The dialog that was closed goes back in the history; before it has, another place would be left again.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toBeNull();
  await page.evaluate(() => (location.hash = '#/data/outbox'));
  await page.getByRole('listbox', { name: 'Captures, newest first' }).getByRole('option').first().click();
  await page.getByRole('button', { name: 'Correct boxes' }).click();
  await page.getByRole('region', { name: 'Boxes' }).getByText('face').first().click();
  await page.keyboard.press('Delete');
  await page.getByText('Saved', { exact: true }).waitFor();
}

/** How many frames' results are stored. */
const keptFrames = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('sightglass-footage');
        opening.onsuccess = () => {
          const database = opening.result;
          const asked = database.transaction('pages').objectStore('pages').getAll();
          asked.onsuccess = () => {
            database.close();
            resolve((asked.result as { heads: unknown[] }[]).reduce((sum, { heads }) => sum + heads.length, 0));
          };
        };
      }),
  );
