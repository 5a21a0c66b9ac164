import { captureOf } from '../../../evidence/capture/capture-of.ts';
import type { CaptureReason, CaptureSetup } from '../../../evidence/capture/capture.ts';
import { sequenceTag } from '../../../evidence/datasets/face/items.ts';
import { FrameChooser, type ChosenFrame, type FootageRule } from '../../../evidence/footage/choose-frames.ts';
import { boxOnSource, keptResults } from '../../../evidence/footage/footage-frame.ts';
import { serviceFilter } from '../../../machine/vision/face/filters.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { FootageBench } from './footage-bench.ts';
import type { FootageSession } from './footage-session.svelte.ts';

/** The frames that a rule chooses of those that were run. Rejects where `signal` aborts. */
export async function chosenFrames(
  { run, rule }: Pick<FootageSession, 'run' | 'rule'>,
  by: FootageRule,
  signal: AbortSignal,
): Promise<readonly ChosenFrame[]> {
  const chooser = new FrameChooser([by], rule);
  for await (const frame of run.frames.all()) {
    signal.throwIfAborted();
    chooser.add(frame);
  }
  return chooser.chosen();
}

/**
 * Keeps frames as captures of this browser, with what the thresholds keep of each: from there a person sends them to a dataset.
 * Resolves to how many were kept. Rejects where `signal` aborts; those that were kept stay.
 */
export async function keepChosen(
  session: FootageSession,
  bench: Pick<FootageBench, 'vision'>,
  host: CaptureHost,
  chosen: readonly ChosenFrame[],
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const { run, steps, rule, footage } = session;
  // A run that begins again has frames of its own; these go with the setup below.
  const { frames, reader } = run;
  const { rows, classes } = serviceFilter(rule);
  const filter = { rows, classes };
  const setup = captureSetup(session);
  const configSha256 = await host.sha256(new TextEncoder().encode(setup.configText));
  const tags = footage.kind === 'video' ? [sequenceTag(footage.name)] : [];
  host.keepStorage();
  let count = 0;
  for (const [at, { index, because }] of chosen.entries()) {
    signal.throwIfAborted();
    const frame = await frames.upTo(index);
    const image = frame?.index === index ? await reader!.frameAt(frame, signal) : null;
    if (frame && image) {
      const { name, timeMs, stages, detections, classifications } = frame;
      const info = { name, index, timestampMs: timeMs };
      const kept = await bench.vision.keepUnseen(image, info);
      const nowMs = host.nowMs();
      const passed = keptResults(frame, filter);
      const result = {
        frame: kept.info,
        stages: stages.map(({ step, widthPx, heightPx }) => ({ step, widthPx, heightPx })),
        raw: { detections, classifications },
        detections: detections && passed.detections,
        classifications: classifications && passed.classifications,
        onSource: boxOnSource(frame, steps),
        problems: [],
        timings: null,
        receivedAtMs: nowMs,
        grey: null,
        setup,
      };
      const context = { reason: reasonOf(because), tags, randomId: host.randomId, configSha256, nowMs };
      await host.captures.put([captureOf(kept, result, context)]);
      count++;
    }
    onProgress((at + 1) / chosen.length);
  }
  return count;
}

/** The setup of the run: the bench may have another model by now. */
function captureSetup({
  run,
  steps,
}: FootageSession): Omit<CaptureSetup, 'configSha256' | 'stages' | 'seenWidthPx' | 'seenHeightPx'> {
  const { serviceName, cameraName, configText, models } = run.setup!;
  const model = models[serviceName] ?? null;
  return {
    serviceName,
    cameraName,
    steps,
    configText,
    model: model && { sha256: model.sha256, fileName: model.fileName },
    backend: model?.backend ?? null,
  };
}

/** A capture names the rules that captures have; "every n-th frame" and "each change" are of footage only. */
function reasonOf(because: readonly FootageRule[]): CaptureReason {
  const rules = because.flatMap((rule) => (rule.kind === 'every' || rule.kind === 'change' ? [] : [rule]));
  return rules.length > 0 ? { kind: 'rules', rules } : { kind: 'person' };
}
