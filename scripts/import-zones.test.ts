import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const eslint = new ESLint();

/** The rules on imports that a file of one line breaks. */
async function broken(filePath: string, line: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`${line}\n`, { filePath });
  return [...new Set(result!.messages.map(({ ruleId }) => ruleId).filter((rule) => rule?.includes('restricted')))];
}

const zone = 'import-x/no-restricted-paths';
const package_ = 'no-restricted-imports';

it.each([
  ['src/data-service/a.ts', "import '../platform/node/file-blob-store.ts';", zone],
  ['src/data-service/uploads/a.ts', "import '../../platform/data-store/capture-marks.ts';", zone],
  ['src/data-service/a.ts', "import '../server/log.ts';", zone],
  ['src/data-service/a.ts', "import '../../workers/data-service/entry.ts';", zone],
  ['src/data-service/a.ts', "import 'node:fs';", package_],
  ['src/data-service/a.ts', "import 'fs/promises';", package_],
  ['src/data-service/a.ts', "import 'node:sqlite';", package_],
  ['src/data-service/a.ts', "import 'idb';", package_],
  ['src/data-service/a.ts', "import '@connectrpc/connect-node';", package_],
  ['src/data-service/a.ts', 'export const a = indexedDB;', 'no-restricted-globals'],
  ['src/server/a.ts', "import '../app/data/data-context.ts';", zone],
  ['src/server/mongo/a.ts', "import '../../cli/usage.ts';", zone],
  ['src/server/a.ts', "import 'svelte';", package_],
  ['src/app/a.ts', "import '../platform/browser/browser-clock.ts';", zone],
])('in %s, %s is refused', async (filePath, line, rule) => {
  expect(await broken(filePath, line)).toEqual([rule]);
});

it.each([
  ['src/data-service/a.ts', "import 'bson';"],
  ['src/data-service/a.ts', "import './ports/clock.ts';"],
  ['src/data-service/a.ts', "import '../gen/app/data/v1/data_pb.ts';"],
  ['src/server/a.ts', "import '../platform/node/file-blob-store.ts';"],
  ['src/server/a.ts', "import 'node:fs';"],
])('in %s, %s is allowed', async (filePath, line) => {
  expect(await broken(filePath, line)).toEqual([]);
});
