import type { SideKind, SideTask } from '../../../../workers/backends/client.ts';
import { parseMachineConfig, writeModelSettings } from '../../../machine/config/face/machine-config.ts';
import type { Capabilities } from '../../../platform/ports/inference-runtime.ts';
import type { BackendsBench } from './backends-bench.ts';

/** A model that can be a side, by the hash of its file. */
export interface SideModel {
  readonly sha256: string;
  readonly fileName: string;
}

/** A person's choice of a side. */
export interface SideChoice {
  readonly sha256: string;
  readonly kind: SideKind;
}

/** The model on the stage, then those that this browser keeps. */
export function modelsOf({ models, serviceName }: BackendsBench): SideModel[] {
  const present = models.of(serviceName);
  if (!present?.format) return [];
  return [present, ...models.stored.filter(({ sha256 }) => sha256 !== present.sha256)];
}

/** Lists what can run a file in this browser. */
export function kindsFor({ fileName }: SideModel, capabilities: Capabilities | null): SideKind[] {
  const several = (capabilities?.wasmThreads ?? 1) > 1;
  const onGpu = capabilities?.webgpu.available === true && !opensOnLiteRt(fileName);
  return ['one-thread', ...(several ? (['threads'] as const) : []), ...(onGpu ? (['webgpu'] as const) : [])];
}

/** Names what runs a file: "WASM, 4 threads". */
export function kindText(kind: SideKind, { fileName }: SideModel, capabilities: Capabilities | null): string {
  if (kind === 'webgpu') return capabilities?.webgpu.emulated ? 'WebGPU (emulated)' : 'WebGPU';
  const runtime = opensOnLiteRt(fileName) ? 'LiteRT' : 'WASM';
  return kind === 'one-thread' ? `${runtime}, one thread` : `${runtime}, ${capabilities?.wasmThreads ?? 1} threads`;
}

/** The two that say most where nobody chose: the fastest that the browser has, against one thread. */
export function firstChoices(
  bench: BackendsBench,
  capabilities: Capabilities | null,
): readonly [SideChoice, SideChoice] | null {
  const [model] = modelsOf(bench);
  if (!model) return null;
  const kinds = kindsFor(model, capabilities);
  const { sha256 } = model;
  return [
    { sha256, kind: 'one-thread' },
    { sha256, kind: kinds.at(-1)! },
  ];
}

/** A side as the worker runs it: another model is fed and read as it was when it was on the stage. */
export function sideTask(bench: BackendsBench, { sha256, kind }: SideChoice): SideTask {
  const { config, models, plan, serviceName, shelf } = bench;
  const present = models.of(serviceName);
  const service = config.service;
  if (!present || !service) throw new Error('No model runs on the stage.');
  if (sha256 === present.sha256) {
    const source = models.sourceOf(present.modelId);
    if (!source) throw new Error('A live machine runs this model: its file is not here.');
    return { kind, source, vision: cloned(service), labels: plan.models[serviceName]?.labels ?? null };
  }
  const record = shelf?.recordOf(sha256) ?? null;
  const source = { kind: 'stored', sha256 } as const;
  if (!record?.settings) {
    return { kind, source, vision: cloned(service), labels: plan.models[serviceName]?.labels ?? null };
  }
  const text = writeModelSettings(config.text, serviceName, record.settings);
  const written = parseMachineConfig(text).config.visionServices.find(({ name }) => name === serviceName);
  return { kind, source, vision: cloned(written ?? service), labels: record.labels?.file.labels ?? null };
}

const opensOnLiteRt = (fileName: string): boolean => /\.(tflite|lite)$/i.test(fileName);

/** Proxies of a state do not cross to a worker. */
const cloned = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
