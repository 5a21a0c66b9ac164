import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { withoutSecrets } from '../../../machine/config/face/edits.ts';
import { rawResultsToJson } from './raw-results-json.ts';
import { benchFileVersion, type SavedBench, type SavedFrame } from './saved-bench.ts';

/** Images and models are compressed already, or hardly compress. */
const asItIs = { level: 0 } as const;

/**
 * Writes the bench as one zip: `bench.json`, `configuration.json`, `models/`, `frames/` and `raw/`. Secrets of the
 * configuration are left out. Rejects with ShareError not-json.
 */
export async function writeBenchFile(bench: SavedBench): Promise<Blob> {
  const configText = withoutSecrets(bench.configText).text;
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false, keepOrder: true });
  const models: object[] = [];
  for (const { bytes, ...model } of bench.models) {
    const file = bytes && `models/${model.sha256}.onnx`;
    if (bytes && file) await zip.add(file, new Uint8ArrayReader(bytes), asItIs);
    models.push({ ...model, file });
  }
  const frames: object[] = [];
  for (const [index, frame] of bench.frames.entries()) {
    const name = String(index + 1).padStart(5, '0');
    const [image, raw] = [`frames/${name}${extensionOf(frame)}`, `raw/${name}.json`];
    await zip.add(image, new Uint8ArrayReader(frame.image), asItIs);
    await zip.add(raw, new TextReader(rawResultsToJson(frame.raw)));
    frames.push({ image, raw, rawOf: frame.rawOf, capture: withoutConfigText(frame) });
  }
  await zip.add('configuration.json', new TextReader(configText));
  const { savedAtMs, environment, serviceName, cameraName } = bench;
  const manifest = {
    format: 'sightglass-bench',
    version: benchFileVersion,
    savedAtMs,
    environment,
    serviceName,
    cameraName,
    models,
    frames,
  };
  await zip.add('bench.json', new TextReader(JSON.stringify(manifest, null, 2)));
  return zip.close();
}

/** Each capture holds the whole configuration with its secrets: the file keeps only its hash. */
function withoutConfigText({ capture }: SavedFrame): SavedFrame['capture'] {
  return { ...capture, setup: capture.setup && { ...capture.setup, configText: '' } };
}

function extensionOf({ capture }: SavedFrame): string {
  return { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp' }[capture.image.mediaType] ?? '.bin';
}
