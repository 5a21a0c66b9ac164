import type {
  ModelServiceConfig,
  TransformStep,
  VisionServiceConfig,
} from '../../machine/config/face/machine-config.ts';
import type { LabelPair } from '../datasets/face/labels.ts';
import type { BoundedShare } from '../evaluation/face/intervals.ts';

/** A figure that is to be at least so much, at the thresholds of the configuration. */
export interface Claim {
  readonly figure: 'recall' | 'precision';
  /** null: of the boxes of all labels together */
  readonly label: string | null;
  /** above 0 and below 1 */
  readonly atLeast: number;
}

/** A claim with what was counted: boxes of the truth for recall, kept results for precision. */
export interface CountedClaim extends Claim, BoundedShare {}

/** All of a configuration that decides which boxes a vision service gives for a picture. */
export interface CertifiedEntry {
  /** with its thresholds */
  readonly service: VisionServiceConfig;
  /** the camera that it looks through; null: pictures go to the service as they are */
  readonly camera: string | null;
  /** the steps of all transform cameras on the way, in the order of execution */
  readonly steps: readonly TransformStep[];
  /** an odd last column and row are cut off first, as of a built-in webcam's frames */
  readonly cropsToEven: boolean;
  /** services that the steps draw */
  readonly drawn: readonly VisionServiceConfig[];
  /** which file the models of these services come from; a service that the configuration lacks is left out */
  readonly modelServices: readonly ModelServiceConfig[];
}

export interface CertifiedModel {
  /** name of the vision service */
  readonly service: string;
  /** name of the file, without a folder */
  readonly name: string;
  /** digest of the file's bytes, in hex */
  readonly sha256: string;
}

/** Where the thresholds came from: only where they were set without these images is their precision what it seems. */
export type ThresholdOrigin = 'other-images' | 'these-images';

/** By what is recorded of each image; by that and by what images look like; or somebody says so. */
export type UnitsOrigin = 'recorded' | 'pictures' | 'stated';

/** The evidence that the claims stand on. */
export interface CertifiedEvidence {
  /** name of the dataset */
  readonly dataset: string;
  readonly images: number;
  /** images, where frames of one clip count once */
  readonly units: number;
  /** boxes of the truth that count */
  readonly boxes: number;
  /** how many boxes of it a model made; null: the dataset does not say */
  readonly modelMade: number | null;
  /** see `truthSha256` */
  readonly truthSha256: string;
  /** see `imagesSha256`; absent: the certificate was made by an earlier version, which did not record it */
  readonly imagesSha256?: string;
  readonly thresholdsFrom: ThresholdOrigin;
  /** how it is known which images are independent; absent: the certificate was made by an earlier version */
  readonly unitsFrom?: UnitsOrigin;
  /** labels of the dataset that count by the model's names; absent: none does */
  readonly labelPairs?: readonly LabelPair[];
}

/** What a certificate states: everything but its signature. */
export interface Statement {
  readonly format: 'sightglass-certificate';
  readonly version: 1;
  readonly claims: readonly CountedClaim[];
  /** confidence of each claim by itself; above 0.5 and below 1 */
  readonly confidence: number;
  /** a box is found where it overlaps by at least this */
  readonly iou: 0.5;
  readonly evidence: CertifiedEvidence;
  readonly configuration: {
    readonly entry: CertifiedEntry;
    /** digest of the entry's canonical text */ readonly sha256: string;
  };
  /** the service's own first */
  readonly models: readonly CertifiedModel[];
  /** labels as the machine reads the label file; null: index numbers */
  readonly labels: {
    readonly count: number;
    /** digest of the labels' canonical text */
    readonly sha256: string;
    /** absent: an earlier version made the certificate */
    readonly names?: readonly string[];
  } | null;
  /** whose rules were followed: `machineRuntime` */
  readonly runtime: string;
  /** where the model ran, in words */
  readonly ranOn: string;
  /** what ran the models, in words with its version; absent: a page, or an earlier version, made the certificate */
  readonly inference?: string;
  /** ISO 8601, UTC */
  readonly madeAt: string;
  /** ISO 8601, UTC; null: it does not end by itself */
  readonly validUntil: string | null;
  /** "Sightglass 0.1.0" */
  readonly madeBy: string;
}

export interface Signature {
  readonly algorithm: 'ECDSA P-256 SHA-256';
  /** the uncompressed point, in hex */
  readonly publicKey: string;
  /** r and s, in hex */
  readonly value: string;
}

export interface Certificate extends Statement {
  /** null: it is not signed */
  readonly signature: Signature | null;
}

/** What a check says of one thing that a certificate names. */
export interface CheckFinding {
  readonly about: 'statement' | 'entry' | 'model' | 'labels' | 'runtime' | 'date' | 'drift' | 'evidence' | 'signature';
  /** 'differs' makes the certificate void */
  readonly says: 'holds' | 'differs' | 'unchecked';
  /** one sentence */
  readonly words: string;
}

/** A file that is no certificate, or one that was damaged. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code: 'not-json' | 'not-a-certificate' | 'unknown-version' | 'damaged';
  constructor(code: CertificateError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
