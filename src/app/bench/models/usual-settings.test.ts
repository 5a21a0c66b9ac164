import { expect, it } from 'vitest';
import { listEntries } from '../../../machine/config/parse/config-entries.ts';
import { parseMachineConfig } from '../../../machine/config/parse/parse-machine-config.ts';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import { usualSettings } from './usual-settings.ts';

const entries = listEntries(parseMachineConfig(sampleConfigText).document);
const settingsOf = (fileName: string, isBuiltin: boolean) =>
  usualSettings(entries, 'detector', { fileName, format: null, metadata: {} }, isBuiltin);

it('names the label file of a built-in model, and the confidence from which its boxes are mostly right', () => {
  expect(settingsOf('face-detector.onnx', true)).toMatchObject({
    vision: { default_minimum_confidence: 0.5 },
    file: { attributes: { model_path: 'face-detector.onnx', label_path: 'face-detector.labels.txt' } },
  });
  expect(settingsOf('object-detector.onnx', true)).toMatchObject({
    vision: { default_minimum_confidence: 0.4 },
    file: { attributes: { model_path: 'object-detector.onnx', label_path: 'object-detector.labels.txt' } },
  });
});

it('takes a person’s own file of that name for any other', () => {
  const { vision, file } = settingsOf('object-detector.onnx', false);
  expect(vision).toEqual({ default_minimum_confidence: 0.5 });
  expect(file?.attributes).toEqual({ model_path: 'object-detector.onnx' });
});
