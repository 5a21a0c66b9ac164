import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadModels } from '../../../tests/onnx-runtime/load-models.ts';

/** Writes each model of tests/onnx-runtime into a folder of its own, with the files beside it, and a list of them. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to write to: node write-models.ts FOLDER');

const names: string[] = [];
for (const [index, { name, bytes, beside }] of loadModels().entries()) {
  names.push(name);
  for (const [path, content] of Object.entries({ ...beside, 'model.onnx': bytes })) {
    const at = join(folder, String(index), path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, content);
  }
}
await writeFile(join(folder, 'names.json'), JSON.stringify(names));
