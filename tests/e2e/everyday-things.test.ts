import { describe, expect, it } from 'vitest';
import { fixedDetector } from '../models.ts';
import { useApp } from './app.ts';
import { copied, expectDetections, expectFirstBoxes, panel, pickModel, shownDetections } from './bench-page.ts';

const app = useApp();
const tryThings = 'Try it on everyday things';

describe('the sample photographs of things', () => {
  it('come with the detector that finds them, are fetched only then, evaluated label by label, and shown to one’s own model too', async () => {
    const asked: string[] = [];
    const { context, page } = await app.open({
      serviceWorker: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await expectFirstBoxes(page);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    const ofThings = () => asked.filter((path) => /things\/|object-detector/.test(path));
    expect(ofThings()).toEqual([]);
    const source = panel(page, 'Source');
    await source.getByRole('button', { name: tryThings }).press('Enter');
    // What the machine's own code says of the same file and configuration.
    await expect
      .poll(() => shownDetections(page), { timeout: 60_000 })
      .toEqual([
        { label: 'wine glass', score: 0.836, xMin: 476, yMin: 255, xMax: 579, yMax: 535 },
        { label: 'bottle', score: 0.487, xMin: 585, yMin: 136, xMax: 675, yMax: 509 },
        { label: 'cup', score: 0.412, xMin: 961, yMin: 315, xMax: 1043, yMax: 386 },
      ]);
    expect(ofThings()).toContain('/builtin/models/object-detector.onnx');

    await page.getByRole('button', { name: 'Export configuration' }).click();
    const drawer = panel(page, 'Configuration');
    await drawer.getByRole('tab', { name: 'Whole' }).click();
    const text = await copied(page, drawer.getByRole('button', { name: 'Copy', exact: true }));
    const { services } = JSON.parse(text) as { services: readonly { name: string; attributes: unknown }[] };
    expect(services.map(({ attributes }) => attributes)).toEqual([
      { model_path: 'object-detector.onnx', label_path: 'object-detector.labels.txt' },
      {
        mlmodel_name: 'detector-model',
        camera_name: 'tuned-camera',
        input_image_mean_value: [0.406, 0.456, 0.485],
        input_image_std_dev: [0.225, 0.224, 0.229],
        input_image_bgr: true,
        default_minimum_confidence: 0.4,
      },
    ]);

    // Kept for a visit without a network, since it was asked for.
    const kept = (): Promise<boolean> =>
      page.evaluate(
        async () => (await caches.match('builtin/models/object-detector.onnx', { ignoreSearch: true })) !== undefined,
      );
    await expect.poll(kept).toBe(true);

    await page.goto(`${app.url}#/evaluate`);
    await page.getByRole('button', { name: 'Try it with the samples' }).press('Enter');
    await page.getByText('6 images run,').waitFor();
    const counts = page.locator('dl > div').filter({ hasText: /^(Right|False|Missed)/ });
    await expect.poll(() => counts.allInnerTexts()).toEqual(['Right\n9', 'False\n2', 'Missed\n4']);
    await page.getByRole('button', { name: 'dog', exact: true }).waitFor();

    await page.goto(`${app.url}#/bench`);
    await source.getByRole('button', { name: 'Try it on faces' }).click();
    await expectFirstBoxes(page);

    // They are shown to one’s own model, which stays.
    await pickModel(page, 'own.onnx', fixedDetector({ boxes: [[0, 0, 1, 1]], categories: [0], scores: [0.8] }));
    await expectDetections(page, 1);
    await source.getByRole('button', { name: tryThings }).click();
    await page.getByText('builtin/room.jpg').first().waitFor();
    await expectDetections(page, 1);
    await panel(page, 'Model').getByText('own.onnx').waitFor();
  });
});
