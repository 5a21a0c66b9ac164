import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { browsersTable, type MeasuredEngine } from './browsers-table.ts';
import { capabilitiesOf } from './capabilities.ts';
import { chromium, firefox, useEngine, webKit, webKitUnshared } from './engines.ts';
import { measure } from './figures.ts';

/** `npm run browsers` measures what docs/browsers.md says, and writes it. */
const isAsked = process.env['SIGHTGLASS_BROWSERS'] === 'write';
const path = 'docs/browsers.md';
const folder = mkdtempSync(`${tmpdir()}/sightglass-engines-`);
afterAll(() => rmSync(folder, { recursive: true }));
let app: RunningApp;
beforeAll(async () => void (app = await serveBuiltApp()));
afterAll(() => app?.close());

const measured: MeasuredEngine[] = [];
const tested = [chromium, firefox, webKit, webKitUnshared];
const when = isAsked ? '' : ' (skipped: npm run browsers asks for it)';

describe.each(tested)(`$name`, (engine) => {
  const { newPage } = useEngine(engine);

  it.skipIf(!isAsked || !engine.isHere)(`is measured for ${path}${when}`, async () => {
    const page = await newPage();
    const figures = await measure(page, app.url, `${folder}/${engine.name}`);
    measured.push({
      name: engine.name,
      version: page.driver.version,
      capabilities: await capabilitiesOf(page),
      figures,
    });
  });
});

it.skipIf(!isAsked)(`is written into ${path}${when}`, () => {
  expect(measured).toHaveLength(tested.filter(({ isHere }) => isHere).length);
  const page = readFileSync(path, 'utf8');
  const day = new Date().toISOString().slice(0, 10);
  const made = browsersTable(measured, { day, cores: availableParallelism(), load: loadavg()[1]! });
  console.log(made);
  const written = page.replace(/(<!-- measured -->\n)[^]*(?=<!-- \/measured -->)/, (_, begin: string) => begin + made);
  expect(written).not.toBe(page);
  writeFileSync(path, written);
});
