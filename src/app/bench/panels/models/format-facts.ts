import type { ModelFormat } from '../../../../machine/vision/face/inference.ts';

/** What the inspector says of a model's format, each under its name. */
export function formatFacts(format: ModelFormat): readonly (readonly [string, string])[] {
  switch (format.name) {
    case 'onnx':
      return [
        ['Format', 'ONNX'],
        [
          'Opset',
          Object.entries(format.opsets)
            .map(([domain, version]) => `${domain || 'ai.onnx'} ${version}`)
            .join(', '),
        ],
        ['IR version', String(format.irVersion)],
      ];
    case 'tflite':
      return [
        ['Format', `TensorFlow Lite, schema ${format.schemaVersion}`],
        ['Signatures', format.signatures.map((key) => key || '(unnamed)').join(', ')],
      ];
  }
}
