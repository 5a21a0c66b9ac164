import {
  modelPaths,
  labelPaths,
  configPath,
  cameraSource,
  runtime,
  runtimeOrWasm,
  serviceFields,
  serviceUsage,
  strict,
} from '../shared/service-fields.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { option, required, together, usual, word, words } from '../record/field.ts';
import { integer } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

const framePaths = words('FRAME');

export const detectRecord = command('detect', {
  usage: [`${serviceUsage} [--draw DIR] FRAME…`],
  reads: together({
    ...serviceFields,
    drawDir: option('--draw DIR', 'folder for the frames with what the machine draws on them'),
    framePaths,
  }),
});
export type DetectArguments = ArgumentsOf<typeof detectRecord>;

export const classifyRecord = command('classify', {
  usage: [`${serviceUsage} [--top=N] FRAME…`],
  reads: together({
    ...serviceFields,
    top: usual('--top N', 'the N best classifications; N ≤ 0 gives all, in label order', integer, 0),
    framePaths,
  }),
});
export type ClassifyArguments = ArgumentsOf<typeof classifyRecord>;

export const transformRecord = command('transform', {
  usage: ['--config machine.json --camera NAME [--model VISION=FILE]… [--labels VISION=FILE]… --out DIR FRAME…'],
  reads: together(
    {
      configPath,
      cameraName: required('--camera NAME', 'the transform camera'),
      modelPaths,
      labelPaths,
      outDir: required('--out DIR', 'folder for the frames, as PNG'),
      source: cameraSource,
      strict,
      runtime,
      framePaths,
    },
    (values) => {
      for (const [name, { unnamed }] of [
        ['model', values.modelPaths],
        ['labels', values.labelPaths],
      ] as const)
        if (unnamed !== null) throw new UsageError(`transform: --${name} wants VISION=FILE, got "${unnamed}".`);
      return values;
    },
  ),
});
export type TransformArguments = ArgumentsOf<typeof transformRecord>;

export const lintRecord = command('lint', {
  usage: ['machine.json [--models DIR] [--model [VISION=]model.onnx]…'],
  notes: [
    "lint says what the machine's modules make of the model files that it is given, and where the configuration describes another model, as all commands with --model do.",
  ],
  reads: together({
    configPath: word('machine configuration'),
    /** folder with the model files */
    modelsDir: option('--models DIR', 'folder with the model files that the model services name'),
    modelPaths,
  }),
});
export type LintArguments = ArgumentsOf<typeof lintRecord>;

export const replayRecord = command('replay', {
  usage: ['[--model VISION=FILE]… bench.zip'],
  notes: [
    'replay runs a bench saved by the app and prints what differs here; exit code 1 when a frame gives other results.',
  ],
  reads: together({ benchPath: word('saved bench'), modelPaths, runtime: runtimeOrWasm }),
});
export type ReplayArguments = ArgumentsOf<typeof replayRecord>;
