import type { Certificate, Claim } from '../../../evidence/certificate/certificate.ts';
import { certifiedEntry } from '../../../evidence/certificate/certified-entry.ts';
import { imagesSha256 } from '../../../evidence/certificate/images-sha256.ts';
import { makeCertificate, type MadeCertificate } from '../../../evidence/certificate/make-certificate.ts';
import { signCertificate, type SigningKey } from '../../../evidence/certificate/sign-certificate.ts';
import { truthSha256 } from '../../../evidence/certificate/truth-sha256.ts';
import { claimText } from '../../../evidence/certificate/words.ts';
import { knownBasis } from '../../../evidence/datasets/face/independence.ts';
import { machineRuntime } from '../../../machine/vision/face/runs.ts';
import { KeptCertificates } from '../../certificates/kept-certificates.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../../kit/words/error-words.ts';
import type { ResultsView } from '../measure/results-view.svelte.ts';
import type { EvaluationRun } from '../run/evaluation-run.svelte.ts';
import type { ImageDependence } from '../run/image-dependence.svelte.ts';
import type { ModelMade } from '../run/model-made.ts';

/** What a person claims, and how. */
export interface CertificateForm extends Claim {
  readonly confidence: number;
  /** 0: it does not end by itself */
  readonly validDays: number;
  /** a person says that these images had no part in the thresholds, besides those that were chosen here */
  readonly isSetElsewhere: boolean;
  readonly isSigned: boolean;
}

export interface CertifyingPorts {
  /** that all tabs share */
  readonly memory: MemoryPort;
  /** null: this page has no WebCrypto */
  readonly openKey: (() => Promise<SigningKey>) | null;
  /** version of the app */
  readonly version: string;
  readonly nowMs: () => number;
}

/** The evaluation to certify. */
interface Evaluated {
  readonly datasetName: string;
  readonly modelMade: ModelMade | null;
  readonly modelMadeCount: number;
  readonly staleness: '' | 'set' | 'model';
  readonly dependence: Pick<ImageDependence, 'doubt' | 'found'>;
  readonly run: Pick<EvaluationRun, 'failed' | 'model' | 'pairs' | 'state'>;
}

/** The counts at the current thresholds. */
type Counted = Pick<ResultsView, 'chosenOn' | 'label' | 'labels' | 'present' | 'sweeps' | 'thresholds' | 'units'> & {
  readonly measured: Pick<ResultsView['measured'], 'boxes' | 'images'>;
};

/** Certifying what the evaluation on the page carries. */
export class Certifying {
  readonly #evaluation: Evaluated;
  readonly #view: Counted;
  readonly #ports: CertifyingPorts;
  readonly #kept: KeptCertificates;
  #form = $state.raw<CertificateForm>({
    figure: 'recall',
    label: null,
    atLeast: 0.95,
    confidence: 0.9,
    validDays: 0,
    isSetElsewhere: false,
    isSigned: false,
  });
  #others = $state.raw<readonly Claim[]>([]);
  #failure = $state.raw<ErrorWords | null>(null);
  #isBusy = $state(false);
  #isStored = $state(true);
  readonly #hashes: { readonly truthSha256: string; readonly imagesSha256: string };

  constructor(evaluation: Evaluated, view: Counted, ports: CertifyingPorts) {
    this.#evaluation = evaluation;
    this.#view = view;
    this.#ports = ports;
    this.#kept = new KeptCertificates(ports.memory);
    const { boxes, images } = view.measured;
    const evaluated = images.map(({ image }) => image);
    const names = evaluated.map(({ name }) => name);
    this.#hashes = { truthSha256: truthSha256(boxes.space, boxes.truth, names), imagesSha256: imagesSha256(evaluated) };
    this.set({ label: view.label === null ? null : view.labels[view.label]! });
  }

  get form(): CertificateForm {
    return this.#form;
  }

  set(change: Partial<CertificateForm>): void {
    this.#form = { ...this.#form, ...change };
  }

  /** What the certificate claims besides the form's claim. */
  get others(): readonly Claim[] {
    return this.#others;
  }

  /** Adds the form's claim to the others, so that the form can make another one. */
  keepClaim(): void {
    this.#others = [...this.#others, this.#claim];
  }

  dropClaim(claim: Claim): void {
    this.#others = this.#others.filter((one) => one !== claim);
  }

  get #claim(): Claim {
    const { figure, label, atLeast } = this.#form;
    return { figure, label, atLeast };
  }

  /** Whether the form's claim is among the others already. */
  readonly isKept: boolean = $derived.by(() => this.#others.some((one) => claimText(one) === claimText(this.#claim)));

  get canSign(): boolean {
    return this.#ports.openKey !== null;
  }

  get failure(): ErrorWords | null {
    return this.#failure;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** false: the browser did not store what was made last */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Labels whose thresholds in force were chosen on this very dataset. */
  readonly chosenHere: readonly string[] = $derived.by(() => this.#view.chosenOn(this.#evaluation.datasetName));

  /** Labels that have anything to count. */
  readonly #counted: readonly string[] = $derived.by(() => {
    const { labels, sweeps } = this.#view;
    return sweeps.filter(({ truthCount, score }) => truthCount + score.length > 0).map(({ label }) => labels[label]!);
  });
  /** Whether thresholds are in force of which it is not known where they came from, besides those chosen here. */
  readonly hasOthers: boolean = $derived.by(() => {
    const chosen = this.chosenHere.map((label) => label.toLowerCase());
    return this.#counted.some((label) => !chosen.includes(label.toLowerCase()));
  });

  /** What the evidence says of the claim now. */
  readonly made: MadeCertificate = $derived.by(() => this.#make());

  #make(): MadeCertificate {
    const refused = (words: string): MadeCertificate => ({ certificate: null, refused: [words] });
    const { dependence, run, staleness, datasetName, modelMade, modelMadeCount } = this.#evaluation;
    const { model } = run;
    if (run.state.kind !== 'done' || !model)
      return refused('The run has not finished: let it run all images of the dataset.');
    if (staleness !== '')
      return refused(
        'These figures belong to another model, setup or dataset than the one chosen now. Run the evaluation again.',
      );
    const { measured, present, sweeps, labels, thresholds, units } = this.#view;
    const entry = certifiedEntry(present.config, model.serviceName, model.cameraName);
    if (!entry) return refused('The configuration has no vision service that could be certified.');
    const { confidence, validDays, isSetElsewhere } = this.#form;
    const isElsewhere = this.chosenHere.length === 0 && isSetElsewhere;
    const { doubt, found } = dependence;
    const basis = found && knownBasis(found);
    return makeCertificate({
      claims: this.isKept ? this.#others : [...this.#others, this.#claim],
      confidence,
      boxes: { sweeps, labels, thresholds, units },
      evidence: {
        dataset: datasetName,
        images: measured.boxes.space.imageCount,
        boxes: sweeps.reduce((sum, { truthCount }) => sum + truthCount, 0),
        modelMade: modelMade === 'count' ? modelMadeCount : 0,
        ...this.#hashes,
        thresholdsFrom: isElsewhere ? 'other-images' : 'these-images',
        ...(basis && { unitsFrom: basis }),
        ...(run.pairs.length > 0 && { labelPairs: run.pairs }),
      },
      chosenHere: isSetElsewhere ? this.chosenHere : this.chosenHere.length > 0 ? this.#counted : null,
      unknownUnits: doubt,
      failed: run.failed.length,
      entry,
      models: model.models,
      labels: present.labels,
      runtime: machineRuntime,
      ranOn: `${model.backend}, browser`,
      madeBy: `Sightglass ${this.#ports.version}`,
      nowMs: this.#ports.nowMs(),
      validDays: validDays > 0 ? validDays : null,
    });
  }

  /** Makes the certificate, and keeps it in this browser where it can (`isStored`). Resolves to null where it is not carried, or cannot be signed. */
  async make(): Promise<Certificate | null> {
    const { certificate } = this.#make();
    if (!certificate || this.#isBusy) return null;
    this.#isBusy = true;
    this.#failure = null;
    try {
      const { openKey } = this.#ports;
      const made = this.#form.isSigned && openKey ? await signCertificate(certificate, await openKey()) : certificate;
      this.#isStored = this.#kept.add(made);
      return made;
    } catch (error) {
      this.#failure = errorWords(error);
      return null;
    } finally {
      this.#isBusy = false;
    }
  }
}
