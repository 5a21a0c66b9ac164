import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CarriedWork } from '../../src/app/shell/carried-works.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { buildLicences } from './build-licences.ts';
import { licenceText } from './licence-texts.ts';

const root = join(import.meta.dirname, '../..');

it('has the full text of everything that ships, also of fonts, models, and what is in WebAssembly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-licences-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await buildLicences(root, folder);
  const works = JSON.parse(await readFile(join(folder, 'licences.json'), 'utf8')) as CarriedWork[];
  const names = works.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).toEqual(expect.arrayContaining(['BlazeFace', 'Sample photographs', 'Go Regular (font)']));
  const list = await readFile(join(folder, 'LICENCES.txt'), 'utf8');
  const terms = {
    MIT: /Permission is hereby granted, free of charge/,
    'Apache-2.0': /Apache License\s+Version 2\.0/,
    'BSD-3-Clause': /Redistributions? (of|in) source/,
    ISC: /Permission to use, copy, modify, and\/or distribute/,
  };
  for (const { name, licence, text } of works) {
    for (const [identifier, words] of Object.entries(terms)) {
      if (licence.includes(identifier)) expect([name, words.test(text)]).toEqual([name, true]);
    }
    expect([name, /copyright|\(c\)/i.test(text)]).toEqual([name, true]);
    expect([name, list.includes(text)]).toEqual([name, true]);
  }
});

it('fails for what carries no text and whose nobody has said it is', async () => {
  const nobodys = { name: 'nobodys', path: 'assets', version: '1.0.0', licence: 'MIT' };
  await expect(licenceText(root, nobodys)).rejects.toThrow(/nobodys carries no text of its licence \(MIT\)/);
});
