import { ModelError, type ModelErrorCode } from './model-error.ts';

const refusals: readonly {
  readonly pattern: RegExp;
  readonly code: ModelErrorCode;
  readonly say: (match: RegExpExecArray) => string;
}[] = [
  {
    pattern: /No Op registered for (\S+) with domain_version of (\d+)/,
    code: 'unsupported-operator',
    say: ([, operator, opset]) => `The runtime has no operator ${operator} in opset ${opset}.`,
  },
  {
    pattern: /([\w.]+):(\w+)\(-?\d+\) is not a registered function\/op/,
    code: 'unsupported-operator',
    say: ([, domain, operator]) => `The runtime has no operator ${operator} of the domain ${domain}.`,
  },
  {
    pattern: /Could not find an implementation for (\w+)\((\d+)\)/,
    code: 'unsupported-operator',
    say: ([, operator, version]) =>
      `The runtime does not implement ${operator} (version ${version}) for the types that the model uses.`,
  },
  {
    pattern: /ValidateOpsetForDomain|Opset \d+ is under development/,
    code: 'unsupported-operator',
    say: () => 'The model uses an opset newer than the runtime. Export it with a lower opset_version.',
  },
  {
    pattern: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    code: 'unsupported-operator',
    say: ([, version, newest]) => `The model's IR version ${version} is newer than the runtime's ${newest}.`,
  },
  {
    pattern: /external (data|tensors)/i,
    code: 'external-data-missing',
    say: () => 'The weights are in a file beside the model. Save it as one file with save_as_external_data=False.',
  },
  {
    pattern: /protobuf parsing failed|No graph was found in the protobuf/,
    code: 'not-onnx',
    say: () => 'The runtime finds no ONNX model in these bytes.',
  },
];

/** Turns onnxruntime's own message about a model that it will not load into a ModelError; null if it is none we know. */
export function explainRuntimeRefusal(message: string): ModelError | null {
  for (const { pattern, code, say } of refusals) {
    const match = pattern.exec(message);
    if (match !== null) return new ModelError(code, say(match), { cause: message });
  }
  return null;
}
