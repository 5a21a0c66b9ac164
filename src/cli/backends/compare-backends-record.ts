import { command, type ArgumentsOf } from '../record/command.ts';
import { option, together, usual, words } from '../record/field.ts';
import { integerFrom, kind } from '../record/kinds.ts';
import { serviceFields, serviceUsage } from '../shared/service-fields.ts';
import type { TerminalRuntime } from '../../platform/ports/inference-runtime.ts';

/** A runtime to compare: "native", "wasm", or "wasm:2" with its number of threads. */
export interface ChosenRuntime {
  readonly name: string;
  readonly kind: TerminalRuntime;
  /** null: as many as all commands take */
  readonly threads: number | null;
}

const runtimes = kind('two of native, wasm, wasm:1, wasm:2 …, as wasm:1,wasm', (value) => {
  const parts = value.split(',').map((part): ChosenRuntime | null => {
    const name = part.trim();
    if (name === 'native') return { name, kind: 'native', threads: null };
    const found = /^wasm(?::([1-9]\d?))?$/.exec(name);
    return found ? { name, kind: 'wasm', threads: found[1] === undefined ? null : Number(found[1]) } : null;
  });
  const [reference, other] = parts;
  return parts.length === 2 && reference && other ? ([reference, other] as const) : undefined;
});

const { runtime: _one, ...service } = serviceFields;

export const compareBackendsRecord = command('compare-backends', {
  usage: [`${serviceUsage} [--runtimes wasm:1,wasm] [--against fitted.onnx] [--save case.zip] FRAME…`],
  notes: [
    'compare-backends runs a model on two runtimes, or two files of one network, over frames, and prints for each whether labels, boxes and scores at the configured thresholds are the same; exit code 1 where they are not. Of the first frame that differs it finds the first part of the network that gives something else, fed the same.',
  ],
  reads: together({
    ...service,
    runtimes: usual(
      '--runtimes A,B',
      'two of native (the package onnxruntime-node, installed beside sightglass), wasm, wasm:1, wasm:2 …; the first is taken for right',
      runtimes,
      [
        { name: 'wasm:1', kind: 'wasm', threads: 1 },
        { name: 'wasm', kind: 'wasm', threads: null },
      ] as const,
      'wasm:1,wasm',
    ),
    againstPath: option(
      '--against FILE',
      'another file of the same network for the second runtime: int8, float16, or fitted',
    ),
    mostRuns: usual('--runs N', 'how often a model is run at most to find the first wrong part', integerFrom(7), 20),
    savePath: option(
      '--save FILE',
      'zip of the case: the part as a model, its inputs, both outputs, versions, and a page that runs it',
    ),
    framePaths: words('FRAME'),
  }),
});
export type CompareBackendsArguments = ArgumentsOf<typeof compareBackendsRecord>;
