import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { ConfigEntry } from '../config/config-entries.ts';
import type { ModelJudge } from '../config/lint/finding.ts';
import { fileFindings } from '../fit/modules/file-findings.ts';
import { judgeModule, type JudgedFile } from '../fit/modules/judge-module.ts';
import { formatOf } from '../fit/modules/known-modules.ts';
import { readModelFacts } from '../models/read-model-file.ts';
import { CliError, reportOf } from './cli-error.ts';

/**
 * Judges model services by their attributes and by the files of a folder: a service's model is the file there that has
 * the name of its `model_path`. null = no folder. What is not there is said, and judged by its attributes alone.
 *
 * @throws CliError for a folder that cannot be read
 */
export async function judgeModels(
  entries: readonly ConfigEntry[],
  folder: string | null,
  say: (text: string) => void,
): Promise<ModelJudge> {
  const files = new Map<string, JudgedFile>();
  const present = folder === null ? [] : await filesIn(folder);
  for (const entry of entries.filter(({ kind }) => kind === 'mlmodel')) {
    const name = fileNameOf(entry);
    if (folder === null || name === '') continue;
    if (present.includes(name)) files.set(name, await judgedFile(join(folder, name), present, entry));
    else say(`${entry.name}: "${folder}" has no file "${name}", so nothing is said of the model itself.`);
  }
  return (entry) => judgeModule(entry.model, entry.attributes, files.get(fileNameOf(entry)) ?? null);
}

function fileNameOf({ attributes }: ConfigEntry): string {
  const path = attributes['model_path'];
  return typeof path === 'string' ? basename(path.replaceAll('\\', '/')) : '';
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, `The models cannot be listed. ${message}`, { cause });
  }
}

async function judgedFile(path: string, filesBeside: readonly string[], entry: ConfigEntry): Promise<JudgedFile> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const facts = readModelFacts(bytes, basename(path), filesBeside);
    return { format: facts.format, findings: fileFindings(facts) };
  } catch (error) {
    const message = `"${basename(path)}": ${reportOf(error).message}`;
    const finding = { code: 'not-a-model', severity: 'refuses', message, cure: 'Give it another file.' } as const;
    return { format: formatOf(entry.model) ?? 'onnx', findings: [finding] };
  }
}
