import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest, goldenCases, goldenInput, goldenModel } from '../../../tests/tflite-golden/golden-cases.ts';

// Models and input tensors for answers.py, into the folder that is named.
const [folder = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const cases = goldenCases();
for (const model of new Set(cases.map((one) => one.model)))
  writeFileSync(join(folder, `${model}.tflite`), await goldenModel(model));
const listed = [];
for (const { model, frame } of cases) {
  const input = await goldenInput(await goldenModel(model), frame);
  const file = `${model}.${frame}.bin`;
  writeFileSync(join(folder, file), new Uint8Array(input.data.buffer, input.data.byteOffset, input.data.byteLength));
  listed.push({ model, frame, input: digest(input), file });
}
writeFileSync(join(folder, 'cases.json'), JSON.stringify(listed));
