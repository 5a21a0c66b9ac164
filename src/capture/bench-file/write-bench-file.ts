import { strToU8, zipSync, type Zippable } from 'fflate';
import { withoutSecrets } from '../../config/share-config.ts';
import { rawResultsToJson } from './raw-results-json.ts';
import { benchFileVersion, type SavedBench, type SavedFrame } from './saved-bench.ts';

/** Images and models are compressed already, or do not compress. */
const asItIs = { level: 0 } as const;

/**
 * The bench as one zip: `bench.json`, `configuration.json`, `models/`, `frames/` and `raw/`. Secrets of the configuration
 * are left out. @throws ShareError not-json
 */
export function writeBenchFile(bench: SavedBench): Uint8Array<ArrayBuffer> {
  const files: Zippable = {};
  const models = bench.models.map(({ bytes, ...model }) => {
    const file = bytes && `models/${model.sha256}.onnx`;
    if (bytes && file) files[file] = [bytes, asItIs];
    return { ...model, file };
  });
  const frames = bench.frames.map((frame, index) => {
    const name = String(index + 1).padStart(5, '0');
    const [image, raw] = [`frames/${name}${extensionOf(frame)}`, `raw/${name}.json`];
    files[image] = [frame.image, asItIs];
    files[raw] = strToU8(rawResultsToJson(frame.raw));
    return { image, raw, rawOf: frame.rawOf, capture: withoutConfigText(frame) };
  });
  files['configuration.json'] = strToU8(withoutSecrets(bench.configText).text);
  const { savedAtMs, environment, serviceName, cameraName } = bench;
  const manifest = {
    format: 'sightglass-bench',
    version: benchFileVersion,
    ...{ savedAtMs, environment, serviceName, cameraName, models, frames },
  };
  files['bench.json'] = strToU8(JSON.stringify(manifest, null, 2));
  return zipSync(files) as Uint8Array<ArrayBuffer>;
}

/** Each capture has the whole text, secrets and all: its hash is enough here. */
function withoutConfigText({ capture }: SavedFrame): SavedFrame['capture'] {
  return { ...capture, setup: capture.setup && { ...capture.setup, configText: '' } };
}

function extensionOf({ capture }: SavedFrame): string {
  return { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp' }[capture.image.mediaType] ?? '.bin';
}
