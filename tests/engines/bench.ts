import { expect } from 'vitest';
import type { Capture } from '../../src/evidence/capture/capture.ts';
import type { Classification, Detection } from '../../src/machine/vision/results/detections.ts';
import type { RawResults } from '../../src/machine/vision/run-result.ts';
import type { EnginePage } from './engine-page.ts';

/** Reads and does what a person does on the bench, in any engine. */

/** A row for each kept detection, as the results list it: "face 0.91 418, 408 – 610, 599". */
export async function shownBoxes(page: EnginePage): Promise<string[]> {
  const rows = await page.texts('section[aria-labelledby] table tbody tr');
  return rows.map((row) => row.replace(/\s+/g, ' '));
}

/** Boxes on the three faces of the first sample, without a click. If they do not appear, the error has the page's text and console. */
export async function expectFirstBoxes(page: EnginePage): Promise<void> {
  try {
    await expect.poll(() => shownBoxes(page), { interval: 100 }).toHaveLength(3);
  } catch (cause) {
    throw new Error(`The first three boxes did not appear.\n${await stateOf(page)}`, { cause });
  }
}

/** What a page shows, has loaded and has said: which worker has not started, and what else is missing. */
async function stateOf(page: EnginePage): Promise<string> {
  const state = await page.evaluate(() => ({
    isolated: crossOriginIsolated,
    serviceWorker: navigator.serviceWorker.controller?.state ?? 'none in control',
    loaded: performance
      .getEntriesByType('resource')
      .map(({ name }) => name.split('/').at(-1))
      .slice(-20),
    shown: document.body.innerText.replace(/\n+/g, ' | '),
  }));
  return JSON.stringify({ ...state, console: page.driver.complaints() }, null, 1);
}

/** Chooses a model file in the model panel. */
export async function chooseModel(page: EnginePage, path: string): Promise<void> {
  const inputs = () => page.evaluate(() => document.querySelectorAll('input[type="file"][accept*="onnx"]').length);
  if ((await inputs()) === 0) {
    const toggle = { css: 'h2 button', name: 'Model', within: 'Model' };
    const isOpen = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('h2 button[aria-expanded="true"]')].some(
          ({ textContent }) => textContent.trim() === 'Model',
        ),
      );
    if (!(await isOpen())) await page.click(toggle);
    await page.click({ css: 'button', name: 'Change', within: 'Model' });
  }
  await page.chooseFiles({ css: 'input[type="file"]', within: 'Model' }, path);
}

/** Imports a machine configuration from a file, as the button of the configuration drawer does. */
export async function importConfiguration(page: EnginePage, path: string): Promise<void> {
  const isOpen = await page.evaluate(() => document.querySelector('.cm-content') !== null);
  if (!isOpen) await page.click({ css: 'button', name: 'Configuration' });
  await page.chooseFiles({ css: 'input[type="file"]', within: 'Configuration' }, path);
}

/** What a capture of the frame on the stage holds: every number before the filter, and what the filter keeps. */
export interface CapturedNumbers {
  readonly source: Pick<Capture['source'], 'name' | 'index' | 'timestampMs'>;
  readonly size: readonly [widthPx: number, heightPx: number];
  readonly fileName: string;
  readonly steps: number;
  readonly configText: string;
  readonly detections: readonly Detection[] | null;
  readonly classifications: readonly Classification[] | null;
  readonly rawLabels: readonly string[];
  readonly rawScores: readonly number[];
  readonly rawBoxes: readonly number[];
}

/** Keeps the frame on the stage by the key K until one is as wanted, and reads that from the browser's database. */
export async function captured(
  page: EnginePage,
  wanted: { readonly model?: string; readonly steps?: number; readonly source?: Partial<CapturedNumbers['source']> },
): Promise<CapturedNumbers> {
  let newest = await page.evaluate(newestCapture, { behind: '', patienceMs: 0 });
  let behind = newest?.id ?? '';
  const keep = async () => {
    await page.driver.press('k');
    newest = await page.evaluate(newestCapture, { behind, patienceMs: 1000 });
    behind = newest?.id ?? behind;
    return newest && { model: newest.fileName, steps: newest.steps, source: newest.source };
  };
  await expect.poll(keep, { interval: 20 }).toMatchObject(wanted);
  const { id: _, ...kept } = newest!;
  return kept;
}

/** The newest capture, if its id is another than `behind`; it is waited for. */
async function newestCapture(wanted: {
  behind: string;
  patienceMs: number;
}): Promise<(CapturedNumbers & { readonly id: string }) | null> {
  const answered = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
  const stored = async (): Promise<[Capture, RawResults] | null> => {
    const isThere = (await indexedDB.databases()).some(({ name }) => name === 'sightglass-captures');
    if (!isThere) return null;
    const database = await answered(indexedDB.open('sightglass-captures'));
    try {
      const store = (name: string) => database.transaction(name).objectStore(name);
      const id = (await answered(store('captures').openKeyCursor(null, 'prev')))?.key as string | undefined;
      if (id === undefined || id === wanted.behind) return null;
      const raw = (await answered(store('raw').get(id))) as RawResults | undefined;
      return raw ? [(await answered(store('captures').get(id))) as Capture, raw] : null;
    } finally {
      database.close();
    }
  };
  const untilMs = performance.now() + wanted.patienceMs;
  let found = await stored();
  while (!found && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    found = await stored();
  }
  if (!found) return null;
  const [capture, { detections, classifications }] = found;
  const { name, index, timestampMs } = capture.source;
  return {
    id: capture.id,
    source: { name, index, timestampMs },
    size: [capture.image.widthPx, capture.image.heightPx],
    fileName: capture.setup?.model?.fileName ?? '',
    steps: capture.setup?.steps.length ?? 0,
    configText: capture.setup?.configText ?? '',
    detections: capture.detections,
    classifications: capture.classifications,
    rawLabels: (detections ?? classifications)?.labels ?? [],
    rawScores: [...((detections ?? classifications)?.score ?? [])],
    rawBoxes: [...(detections?.box ?? [])],
  };
}
