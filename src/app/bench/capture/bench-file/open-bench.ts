import {
  compareBench,
  type BenchComparison,
  type BenchNow,
} from '../../../../evidence/capture/bench-file/compare-bench.ts';
import type { SavedBench, SavedFrame, SavedModel } from '../../../../evidence/capture/bench-file/saved-bench.ts';
import { fileNameOf } from '../../../../remote/outbox/file-name.ts';
import type { CaptureBench } from '../capture-bench.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import { runOnBench } from './save-bench.ts';

/**
 * Replaces the bench by a saved one (undo restores the configuration) and runs its frames here. Resolves to the
 * differences. A service whose model is unavailable is left unchanged, and the comparison says so.
 * @throws Error if the saved configuration cannot be read
 */
export async function openBench(
  bench: CaptureBench,
  saved: SavedBench,
  host: Pick<CaptureHost, 'version' | 'browserName'>,
  fileName: string,
  onProgress: (doneFrames: number) => void,
): Promise<BenchComparison> {
  const { config, models, session, sources } = bench;
  if (!config.importText(saved.configText, `Open ${fileName}`, `The configuration of ${fileName}`))
    throw new Error(`The configuration in ${fileName} cannot be read, so nothing else in it was opened.`);
  if (saved.serviceName !== null) config.chooseVision(saved.serviceName);
  config.chooseCamera(saved.cameraName);
  for (const model of saved.models) await loadSaved(bench, model);
  await session.applyPlan(bench.plan);
  if (saved.frames.length > 0) {
    await sources.showStills(saved.frames.map(({ capture, image }) => still(capture, image)));
  }
  const outcomes: BenchNow['outcomes'][number][] = [];
  for (const { capture, image } of saved.frames) {
    outcomes.push(await runOnBench(bench, new Blob([image], { type: capture.image.mediaType }), fileNameOf(capture)));
    onProgress(outcomes.length);
  }
  const inUse = saved.models.flatMap(({ serviceName }) => {
    const model = models.of(serviceName);
    return model ? [[serviceName, model.sha256] as const] : [];
  });
  return compareBench(saved, {
    environment: {
      version: host.version,
      host: host.browserName,
      backend: models.of(bench.serviceName)?.backend ?? null,
    },
    configText: sameJson(config.text, saved.configText) ? saved.configText : config.text,
    models: Object.fromEntries(inUse),
    outcomes,
  });
}

/** Loads the model from the file's own bytes, otherwise from this browser's storage of an earlier visit. */
async function loadSaved(
  bench: CaptureBench,
  { serviceName, fileName, sha256, labels, bytes }: SavedModel,
): Promise<void> {
  const { models, labels: labelFiles } = bench;
  if (models.of(serviceName)?.sha256 !== sha256) {
    await models.listStored();
    if (bytes) await models.load({ kind: 'file', file: new File([bytes], fileName) }, serviceName);
    else if (models.stored.some((model) => model.sha256 === sha256)) {
      await models.load({ kind: 'stored', sha256 }, serviceName);
    }
  }
  if (labels) labelFiles.give(serviceName, labels, 'the saved bench', { joins: true });
}

const still = (capture: SavedFrame['capture'], image: SavedFrame['image']) => ({
  name: fileNameOf(capture),
  blob: async () => new Blob([image], { type: capture.image.mediaType }),
});

/** Whether two JSON texts have the same content, whatever their layout. */
function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return a === b;
  }
}
