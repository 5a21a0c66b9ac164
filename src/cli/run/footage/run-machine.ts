import { basename } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { withMachineCamera } from '../../../machine/config/face/cameras.ts';
import { runKey, type TransformStep } from '../../../machine/config/face/machine-config.ts';
import { withoutSecrets } from '../../../machine/config/face/edits.ts';
import type { FootageStage } from '../../../evidence/footage/footage-frame.ts';
import type { SeenFootage } from '../../../evidence/footage/run-footage.ts';
import type { FootageSource, RunSetup } from '../../../evidence/footage/run-setup.ts';
import { requireSomeAbility, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import { type FrameRun, type Machine, pixelsOf } from '../../../machine/vision/face/runs.ts';
import type { TextFace } from '../../../machine/vision/face/traces.ts';
import { reportOf } from '../../record/cli-error.ts';
import { loadConfig } from '../../shared/load-config.ts';
import { buildMachine, type LoadedMachine } from '../../shared/load-machine.ts';
import type { RunArguments } from '../run-record.ts';
import { sha256, sha256OfFile } from '../../shared/sha256.ts';
import type { SourceFrame } from './open-footage.ts';

/** A machine that looks at footage through one camera, with one service. */
export interface RunMachine {
  readonly font: TextFace;
  /** what runs its models, in words; null: it has none */
  readonly runtime: string | null;
  readonly steps: readonly TransformStep[];
  /** filter of the service, as the configuration has it */
  readonly rule: ServiceFilterRule;
  setupOf(source: FootageSource): Promise<RunSetup>;
  /** Runs a frame up to its raw results. A failing step is part of the answer. @throws ImageDecodeError and the like */
  see(frame: SourceFrame): Promise<SeenFootage>;
  /** The frame as the service sees it, without running the service's model. @throws StepError, ImageDecodeError */
  seen(frame: SourceFrame): Promise<Frame>;
}

/** @throws CliError, MachineError, InferenceError */
export async function openRunMachine(command: RunArguments, say: (text: string) => void): Promise<RunMachine> {
  const parsed = await loadConfig(command.configPath);
  const { machine, font, loaded, runtime, cameraName } = await buildMachine(parsed, command, say);
  const { visionName } = command;
  const probed = await machine.service(visionName);
  requireSomeAbility(probed);
  const { config: service } = probed.service;
  const steps = cameraName === null ? [] : machine.camera(cameraName).steps.map(({ step }) => step);
  const rule: ServiceFilterRule = {
    defaultMinimumConfidence: service.defaultMinimumConfidence,
    labelConfidences: service.labelConfidences,
  };
  return {
    font,
    runtime,
    steps,
    rule,
    setupOf: async (source) => ({
      version: packageJson.version,
      source,
      serviceName: visionName,
      cameraName,
      steps,
      filter: rule,
      models: await modelsOf(machine, command, loaded),
      configKey: sha256(runKey(withMachineCamera(parsed.config, command.source), visionName, cameraName)),
      configText: withoutSecrets(parsed.document.text).text,
      choice: command.choice,
    }),
    async see({ image }) {
      const source = await image.read();
      const { stages, result, failure } = await machine.run({ frame: source, cameraName, serviceName: visionName });
      return {
        stages: stagesOf(stages, source),
        failure: result ? null : reportOf(failure?.cause ?? new Error('It gave nothing.')),
        detections: result?.detections ?? null,
        classifications: result?.classifications ?? null,
      };
    },
    async seen({ image }) {
      const { stages, failure } = await machine.run({ frame: await image.read(), cameraName, serviceName: null });
      if (failure) throw failure.cause;
      return pixelsOf(stages.at(-1)!.frame);
    },
  };
}

function stagesOf(
  stages: FrameRun['stages'],
  source: { readonly widthPx: number; readonly heightPx: number },
): FootageStage[] {
  return stages.map(({ step, frame: { widthPx, heightPx } }) => ({
    step,
    widthPx,
    heightPx,
    ...(step === -1 &&
      (widthPx !== source.widthPx || heightPx !== source.heightPx) && {
        uncut: { widthPx: source.widthPx, heightPx: source.heightPx },
      }),
  }));
}

async function modelsOf(
  machine: Machine,
  { visionName, modelPaths }: RunArguments,
  loaded: LoadedMachine['loaded'],
): Promise<RunSetup['models']> {
  const paths = { ...(modelPaths.unnamed !== null && { [visionName]: modelPaths.unnamed }), ...modelPaths.byName };
  const models = Object.entries(paths).map(async ([service, path]) => {
    const { labels } = (await machine.service(service)).service;
    const runtime = loaded[service]?.session.runtime;
    return [
      service,
      {
        fileName: basename(path),
        sha256: await sha256OfFile(path),
        labelsSha256: sha256(JSON.stringify(labels)),
        ...(runtime !== undefined && { runtime }),
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(models));
}
