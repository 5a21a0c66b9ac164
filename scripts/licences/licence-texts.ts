import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped-packages.ts';

/** Copyright lines of packages that come without a licence text: their authors, as they name themselves. */
const holders: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-http': 'Copyright Amazon.com, Inc. or its affiliates',
  '@aws-sdk/credential-provider-login': 'Copyright Amazon.com, Inc. or its affiliates',
  '@aws-sdk/nested-clients': 'Copyright Amazon.com, Inc. or its affiliates',
  '@bufbuild/protobuf': 'Copyright 2021-2026 Buf Technologies, Inc.; parts Copyright 2008 Google Inc.',
  '@connectrpc/connect': 'Copyright 2021-2026 The Connect Authors',
  '@connectrpc/connect-node': 'Copyright 2021-2026 The Connect Authors',
  '@connectrpc/connect-web': 'Copyright 2021-2026 The Connect Authors',
  '@litertjs/core': 'Copyright Google LLC',
  '@litertjs/wasm-utils': 'Copyright Google LLC',
  '@polka/url': 'Copyright (c) Luke Edwards <luke@lukeed.com> (https://lukeed.com)',
  'guid-typescript': 'Copyright (c) Nicolas (https://github.com/NicolasDeveloper)',
  'is-reference': 'Copyright (c) Rich Harris',
  'locate-character': 'Copyright (c) Rich Harris',
  'onnxruntime-common': 'Copyright (c) Microsoft Corporation',
  'onnxruntime-web': 'Copyright (c) Microsoft Corporation',
  'pg-types': 'Copyright (c) Brian M. Carlson',
  pgpass: 'Copyright (c) Hannes Hörl <hannes.hoerl+pgpass@snowreporter.com>',
  saxes:
    'Copyright (c) Louis-Dominique Dubeau and contributors; of sax, Copyright (c) Isaac Z. Schlueter and contributors',
  sirv: 'Copyright (c) Luke Edwards <luke@lukeed.com> (https://lukeed.com)',
};

const isText = (name: string): boolean => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(name);

/**
 * The licence of a package in full: what lies in it, or else the text that its SPDX expression names.
 * @throws for a package without either, which must not ship
 */
export async function licenceText(root: string, { name, path, licence }: ShippedPackage): Promise<string> {
  const files = (await readdir(join(root, path))).filter(isText).sort();
  if (files.length > 0) {
    return (await Promise.all(files.map((file) => readFile(join(root, path, file), 'utf8')))).map(trim).join('\n\n');
  }
  const holder = holders[name];
  if (holder === undefined) {
    throw new Error(
      `${name} carries no text of its licence (${licence}): find out whose it is and add that to scripts/licences/licence-texts.ts.`,
    );
  }
  const parts = licence.replace(/[()]/g, '').split(' AND ');
  return [holder, ...(await Promise.all(parts.map((part) => standardText(root, part))))].join('\n\n');
}

/** The text of an SPDX identifier, below the copyright. */
async function standardText(root: string, identifier: string): Promise<string> {
  const path = identifier === 'Apache-2.0' ? 'LICENSE' : `scripts/licences/texts/${identifier}.txt`;
  try {
    return trim(await readFile(join(root, path), 'utf8'));
  } catch (cause) {
    throw new Error(`There is no text of the licence ${identifier}; add ${path}.`, { cause });
  }
}

const trim = (text: string): string => text.replace(/\r\n/g, '\n').trim();
