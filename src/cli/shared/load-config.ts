import { readFile } from 'node:fs/promises';
import { jsonMistakes, positionAt } from '../../machine/config/face/json.ts';
import { filteredCameraProblems } from '../../machine/config/face/cameras.ts';
import { type ParsedMachineConfig, parseMachineConfig } from '../../machine/config/face/machine-config.ts';
import { startsAsUtf16 } from '../../evidence/datasets/face/files.ts';
import { CliError, reportOf } from '../record/cli-error.ts';

/** @throws CliError not-found and the like, bad-json, bad-shape */
export async function loadConfig(path: string): Promise<ParsedMachineConfig> {
  const text = await readTextFile(path, 'configuration');
  const parsed = parseMachineConfig(text);
  const [mistake] = jsonMistakes(parsed.document);
  if (mistake) {
    const { line, column } = positionAt(text, mistake.offset);
    throw new CliError('bad-json', `"${path}" is not valid JSON (line ${line}, column ${column}): ${mistake.message}`);
  }
  const shape = parsed.problems.find(({ resource, code }) => resource === '' && code === 'bad-shape');
  if (shape) throw new CliError(shape.code, `"${path}": ${shape.message}.`);
  return { ...parsed, problems: [...parsed.problems, ...filteredCameraProblems(parsed.entries)] };
}

/**
 * Refuses the resources that a command needs and that the machine could not build.
 *
 * @throws CliError with the first problem's code
 */
export function refuseProblemsOf({ problems }: ParsedMachineConfig, resources: readonly string[]): void {
  const [first, ...more] = problems.filter(({ resource }) => resources.includes(resource));
  if (!first) return;
  const rest = more.map(({ message }) => ` Also: ${message}`).join('');
  throw new CliError(first.code, `"${first.resource}": ${first.message}${rest}`);
}

/** @param what as a person calls the file @throws CliError */
export async function readBytes(path: string, what: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, `The ${what} cannot be read. ${message}`, { cause });
  }
}

/** @throws CliError */
export async function readTextFile(path: string, what: string): Promise<string> {
  const bytes = await readBytes(path, what);
  if (startsAsUtf16(bytes))
    throw new CliError('bad-encoding', `The ${what} "${path}" is in UTF-16, and the machine reads UTF-8 only: save it as UTF-8.`); // prettier-ignore
  return bytes.toString('utf8');
}
