import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CarriedWork } from '../../src/app/shell/carried-works.ts';
import { licenceText } from './licence-texts.ts';
import { shippedPackages, type PackageLock, type ShippedPackage } from './shipped-packages.ts';

/** The works carried that no dependency brings: files of others, and code that tools put into what they build. */
const besides = [
  { name: 'BlazeFace', licence: 'Apache-2.0', file: 'assets/blazeface/LICENSE' },
  { name: 'NanoDet', licence: 'Apache-2.0', file: 'assets/nanodet/LICENSE' },
  { name: 'Sample photographs', licence: 'MIT', file: 'assets/photographs/LICENSE' },
  { name: 'Sample photographs of things', licence: 'CC0-1.0, CC-BY-4.0 and MIT', file: 'assets/things/LICENSE' },
  { name: 'Go Regular (font)', licence: 'BSD-3-Clause', file: 'public/fonts/LICENSE-Go-fonts.txt' },
  { name: 'AssemblyScript (in the pixel kernel)', licence: 'Apache-2.0', file: 'node_modules/assemblyscript/LICENSE' },
  { name: 'Vite (in the bundles)', licence: 'MIT', file: 'node_modules/vite/LICENSE.md' },
] as const;

/** Vite's text goes on with those of what Vite itself is made of, which no bundle has. */
const ofItsTools = /^# Licenses of bundled dependencies$/m;

/** Where the notices are of what is compiled into a package's WebAssembly: its own texts lack them. */
const furtherNotices: Readonly<Record<string, (version: string) => string>> = {
  'onnxruntime-web': (version) =>
    `What is compiled into its WebAssembly: https://github.com/microsoft/onnxruntime/blob/v${version}/ThirdPartyNotices.txt`,
  '@litertjs/core': () => `What is compiled into its WebAssembly: https://github.com/google-ai-edge/LiteRT`,
};

/**
 * Writes what Sightglass carries of others, with every licence in full: `licences.json`, which the app shows, and
 * `LICENCES.txt`, the same to be read. @throws where a text is missing
 */
export async function buildLicences(root: string, outDir: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as PackageLock;
  const works: CarriedWork[] = [];
  for (const { name, licence, file } of besides) {
    const text = await readFile(join(root, file), 'utf8');
    works.push({ name, version: '', licence, text: text.split(ofItsTools)[0]!.trim() });
  }
  for (const shipped of shippedPackages(lock)) works.push(await workOf(root, shipped));
  works.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'licences.json'), JSON.stringify(works));
  await writeFile(join(outDir, 'LICENCES.txt'), asText(works));
}

async function workOf(root: string, shipped: ShippedPackage): Promise<CarriedWork> {
  const { name, version, licence } = shipped;
  const further = furtherNotices[name]?.(version);
  const text = await licenceText(root, shipped);
  return { name, version, licence, text: further === undefined ? text : `${text}\n\n${further}` };
}

const rule = '='.repeat(80);

const asText = (works: readonly CarriedWork[]): string =>
  [
    'Sightglass is licensed under Apache-2.0. It carries works of others, under their licences:',
    ...works.map(({ name, version, licence, text }) =>
      [rule, [name, version].filter(Boolean).join(' '), licence, rule, '', text, ''].join('\n'),
    ),
  ].join('\n\n');
