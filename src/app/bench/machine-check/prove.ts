import { findCause } from '../../../remote/live-machine/causes/find-cause.ts';
import type { ServiceTrials } from '../../../remote/live-machine/causes/try-services.ts';
import { chooseAsking, type AskingMethod } from '../../../remote/live-machine/choose-asking.ts';
import { areLossless } from '../../../remote/live-machine/capture-both.ts';
import { compareSteps } from '../../../remote/live-machine/compare-steps.ts';
import type { StepsJudged } from '../../../remote/live-machine/judge-steps.ts';
import type { ModelFacts } from '../../../remote/live-machine/likely-reasons.ts';
import type { LiveImage, LiveMachine, VisionAbilities } from '../../../remote/live-machine/live-machine.ts';
import { parityHtml, parityJson, type ParitySubject } from '../../../remote/live-machine/parity-report.ts';
import { proveFrames, withCause, type Proof } from '../../../remote/live-machine/prove-frames.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { imageBlob } from '../live-machine/image-blob.ts';
import { answerUnder } from './agreement.svelte.ts';
import { closePictures } from './camera-check.svelte.ts';
import { serviceFacts, type TunedService } from './service-facts.ts';
import { compareHere } from './steps-here.ts';

export interface ProofDependencies {
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly rule: () => ServiceFilterRule;
  readonly model: () => ModelDescription | null;
  readonly config: Pick<ConfigState, 'parsed' | 'config'> & TunedService;
}

interface ProofGiven extends ProofDependencies {
  readonly machine: LiveMachine;
  readonly abilities: VisionAbilities;
  /** how many are to be compared */
  readonly frames: number;
  readonly signal: AbortSignal;
  readonly onWay: (way: AskingMethod) => void;
  readonly onProgress: (soFar: Proof) => void;
}

/**
 * Compares frames of the chosen service and camera with the bench, looks for the cause of what differs, and compares the camera's steps.
 * Rejects with the error of either side.
 */
export async function prove(given: ProofGiven): Promise<Proof> {
  const { sources, machine, abilities, frames, signal, rule, onProgress, onWay } = given;
  const { visionName, cameraName } = sources.machine;
  const asking = await chooseAsking(machine, { visionName, cameraName, abilities }, signal);
  onWay(asking.way);
  const model = await modelFacts(given);
  const proof = await proveFrames(asking.ask, (image) => answerHere(given, image), {
    frames,
    facts: { model, rule: rule(), service: serviceFacts(given.config, visionName) },
    confirm: asking.confirm,
    signal,
    onProgress(soFar) {
      onWay(asking.way);
      onProgress(soFar);
    },
  });
  if (proof.frames === 0 || signal.aborted) return proof;
  const isOtherModel = proof.reasons.some(({ reason }) => reason === 'other-model');
  const trials = proof.apart > 0 && !isOtherModel ? await trialsOf(given) : null;
  const cause = trials && (await findCause(proof.samples, trials));
  return { ...withCause(proof, cause), steps: await stepsOf(given) };
}

async function answerHere({ session, rule }: ProofGiven, image: LiveImage) {
  const result = await session.runAside(imageBlob(image), 'proof');
  const [problem] = result.problems;
  if (problem && !result.detections && !result.classifications) throw new Error(problem.message);
  const source = result.stages[0]!;
  return { ...answerUnder(result, rule()), widthPx: source.widthPx, heightPx: source.heightPx };
}

async function modelFacts({ model, sources, machine, signal }: ProofGiven): Promise<ModelFacts | null> {
  const loaded = model();
  const { modelServices } = sources.machine;
  if (!loaded || modelServices.length !== 1) return null;
  const there = await machine.modelMetadata(modelServices[0]!, signal).catch(() => null);
  return { inputs: loaded.inputs, outputs: loaded.outputs, there };
}

/** null: no service is tuned. */
async function trialsOf({ session, model, rule, sources, machine, signal }: ProofGiven): Promise<ServiceTrials | null> {
  const service = await session.underPlan((client) => client.presentService());
  const loaded = model();
  if (!service || !loaded) return null;
  const [modelName, ...more] = sources.machine.modelServices;
  const isKnown = modelName !== undefined && more.length === 0 && loaded.backend !== 'live';
  const present = { ...service, config: { ...service.config, ...rule() } };
  return {
    present,
    inputs: loaded.inputs,
    answers: (image, tried, asked) => session.underPlan((client) => client.answersOf(imageBlob(image), tried, asked)),
    run: (image) => session.underPlan((client) => client.modelRunOf(imageBlob(image), present)),
    inferThere: isKnown ? (feeds) => machine.infer(modelName, feeds, signal) : null,
  };
}

async function stepsOf({ session, config, sources, machine, abilities, signal }: ProofGiven): Promise<StepsJudged> {
  const cameraName = sources.machine.cameraName || abilities.defaultCamera;
  const { cameras } = config.config;
  return compareSteps(
    machine,
    {
      cameras,
      cameraName,
      async compare(both) {
        const compared = await compareHere(session, both, cameraName);
        closePictures(compared);
        return { ...compared, isLossless: areLossless(both) };
      },
    },
    signal,
  );
}

interface ReportGiven extends ProofDependencies {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly way: AskingMethod | null;
}

/** The report as a page and as data. */
export function reportOf(proof: Proof, { sources, model, config, startedAtMs, endedAtMs, way }: ReportGiven) {
  const { url, version, visionName, cameraName } = sources.machine;
  const loaded = model(); // only a colour detector answers without one
  const isModelBorrowed = loaded?.backend === 'live';
  const subject: ParitySubject = {
    address: url,
    machineVersion: version,
    visionName,
    cameraName,
    asked: way ?? 'with-the-frame',
    backend: isModelBorrowed
      ? `on the machine, model service ${loaded.fileName}`
      : (loaded?.backend ?? 'colour detector'),
    isModelBorrowed,
    modelFileName: loaded?.fileName ?? 'none',
    modelSha256: loaded?.sha256 ?? '',
    configText: config.parsed.document.text,
    startedAtMs,
    endedAtMs,
  };
  return { html: parityHtml(subject, proof), json: `${JSON.stringify(parityJson(subject, proof), null, 2)}\n` };
}
