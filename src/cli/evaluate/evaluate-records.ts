import { certificateOptions } from './certificate-options.ts';
import { labelMap } from './label-pairs.ts';
import { promises } from './recall-promises.ts';
import { byWords, command, type ArgumentsOf } from '../record/command.ts';
import { later, made, option, required, together, usual, word, words } from '../record/field.ts';
import { kind, number, share } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';
import { checkStoreRecord } from '../data/data-records.ts';
import { floors } from './score-floors.ts';
import {
  areIndependent,
  cameraSource,
  configPath,
  dependenceNote,
  labelPaths,
  modelPaths,
  runtimeOfCertificate,
  serviceFields,
  serviceUsage,
  serviceOptions,
  split,
  type ServiceArguments,
} from '../shared/service-fields.ts';

/** A file in COCO's result format. */
export interface EvaluatedResults {
  readonly kind: 'results';
  readonly path: string;
  /** for every label */
  readonly threshold: number;
}

/** A vision service with its model, run here. */
export interface EvaluatedService extends ServiceArguments {
  readonly kind: 'service';
}

export interface ReportFile {
  readonly path: string;
  readonly format: 'html' | 'json' | 'csv';
}

/** The threshold in force where nothing else says one. */
const usualThreshold = 0.5;

const report = option(
  '--report FILE',
  'write a page, or .json or .csv',
  kind<ReportFile>('a file that ends in .html, .json or .csv', (path) => {
    const ending = /\.(html|json|csv)$/i.exec(path)?.[1]?.toLowerCase();
    return ending === 'html' || ending === 'json' || ending === 'csv' ? { path, format: ending } : undefined;
  }),
);

const dataText = 'the frames with what is on them: COCO JSON, a data.yaml, a JSONL file, or a folder';
/** Options of a service that is run; how strictly it reads its configuration may be said anyway. */
const ofService = serviceOptions.filter((name) => !/strict$/.test(name));
const thresholdForm = '--threshold T';

export const evaluateRecord = command('evaluate', {
  usage: [
    `${serviceUsage} [--split val] --data coco.json|data.yaml|data.jsonl|DIR [--report out.html] [--fail-under FIGURE[:LABEL]=NUMBER,…] [--promise recall:LABEL=0.8,… [--broken-at-most 0.1]] [--certificate out.json --claim recall:LABEL=0.95,… [--confidence 0.9] [--valid-days N] [--thresholds-set-elsewhere] [--sign key.pem]] [--independent-frames] [--map LABEL=NAME|scheme.json]…`,
    '--detections results.json [--threshold T] --data coco.json [--fail-under FIGURE[:LABEL]=NUMBER,…] [--promise recall:LABEL=0.8,… [--broken-at-most 0.1]]',
  ],
  notes: [
    "evaluate says what a vision service is worth against truth: COCO's figures of its raw results, and precision, recall and F1 of each label at its thresholds; or what results in COCO's format are worth, at --threshold. Exit code 1 when a figure of --fail-under is lower or undefined, or a claim is not carried.",
    dependenceNote,
  ],
  noWords: 'give the frames by --data',
  reads: together(
    {
      dataPath: required('--data PATH', dataText),
      split,
      service: later(together(serviceFields)),
      results: option('--detections FILE', "results in COCO's format, instead of a service"),
      threshold: option(thresholdForm, `threshold of results, for every label (${usualThreshold})`, share),
      floors,
      promises,
      report,
      certificate: certificateOptions,
      areIndependent,
      map: labelMap,
    },
    ({ service, results, threshold, ...rest }, { has }) => {
      if (results === null && threshold !== null)
        throw new UsageError(
          '--threshold goes with --detections; a vision service has the thresholds of its configuration.',
        );
      const other = [...ofService, 'split', 'map'].find((name) => has(name));
      if (results !== null && other !== undefined)
        throw new UsageError(`--detections holds the results already, so --${other} says nothing; leave one out.`);
      const evaluated: EvaluatedResults | EvaluatedService =
        results === null
          ? { kind: 'service', ...service() }
          : { kind: 'results', path: results, threshold: threshold ?? usualThreshold };
      return { ...rest, evaluated };
    },
  ),
});
export type EvaluateArguments = ArgumentsOf<typeof evaluateRecord>;

const { configPath: _, ...withoutConfig } = serviceFields;

export const compareRecord = command('compare', {
  usage: [
    '--data coco.json [--threshold T] [--moved PX] [--report out.html] A.json B.json',
    '--vision NAME --model model.onnx [--labels FILE] [--camera NAME] --data … [--moved PX] [--report out.html] [--independent-frames] [--map LABEL=NAME|scheme.json]… A.json B.json',
  ],
  notes: [
    "compare says what becomes of A's boxes in B, two result files or two configurations: how many vanish, appear, change their label or move, and whether B's figures are better, worse, or cannot be told apart on so few frames.",
    dependenceNote,
  ],
  reads: together(
    {
      paths: made(words('FRAME'), ([first, second, ...more], { words: all }) => {
        if (first === undefined || second === undefined || more.length > 0)
          throw new UsageError(`compare wants two result files or two configurations, got ${all.length} paths.`);
        return [first, second] as const;
      }),
      dataPath: required('--data PATH', dataText),
      split,
      /** threshold of result files, for every label */
      threshold: usual(thresholdForm, 'threshold of result files, for every label', share, usualThreshold),
      movedMoreThanPx: usual(
        '--moved PX',
        'a box moved where it did by more than that',
        number('a distance in pixels', (value) => value >= 0),
        2,
      ),
      report,
      service: later(together(withoutConfig)),
      areIndependent,
      map: labelMap,
    },
    ({ service, ...rest }, { has }) => {
      const isRun = has('vision') || has('model');
      if (!isRun && has('split'))
        throw new UsageError('--split does not apply to result files, whose images their truth lists; leave it out.');
      if (!isRun && has('map'))
        throw new UsageError(
          '--map does not apply to result files, whose labels are those of their truth; leave it out.',
        );
      // The configuration is each of the paths in turn.
      return { ...rest, service: isRun ? service() : null };
    },
  ),
});
export type CompareArguments = ArgumentsOf<typeof compareRecord>;

/** One side of a comparison, as it is named. */
export interface SideOptions {
  readonly path: string;
  /** null: all */
  readonly split: EvaluateArguments['split'];
  /** results in COCO's format, of the pictures that `path` lists; null: its labels are compared */
  readonly resultsPath: string | null;
  /** threshold of the results, for every label */
  readonly threshold: number;
}

const ofResults = ['reference-detections', 'detections', 'threshold'];

export const driftRecord = command('drift', {
  usage: [
    `--reference coco.json|data.yaml|data.jsonl|DIR|reference.json [--split val] --later coco.json|…|DIR [${serviceUsage}] [--level 0.05] [--reference-detections results.json --detections results.json [--threshold T]] [--keep reference.json] [--independent-frames]`,
  ],
  notes: [
    "drift says whether later frames differ from those of a reference: brightness, contrast, sharpness, number, size and labels of boxes, and scores. It compares labels, what the service answers on both sides (--config), or results in COCO's format, and ranks what shifted. The frames that drive each are named. Where it is not known which frames are independent, no shift can be told from chance. Exit code 1 when a feature shifted or a frame failed. check certificate.json --drift reads what it prints.",
    dependenceNote,
  ],
  noWords: 'give the frames by --reference and --later',
  reads: together(
    {
      referencePath: required(
        '--reference PATH',
        'frames as they should be, as evaluate reads them, or a reference that was kept',
      ),
      laterPath: required('--later PATH', 'later frames, as evaluate reads them, or a folder of pictures'),
      split,
      /** false discovery rate, above 0 and below 1 */
      level: usual(
        '--level SHARE',
        'where nothing changed, it finds a shift in at most this share of cases',
        number('a number between 0 and 1', (value) => value > 0 && value < 1),
        0.05,
      ),
      /** where the reference's features are kept; null: nowhere */
      keepPath: option(
        '--keep FILE',
        "write the reference's features, which --reference reads later without its pictures",
      ),
      service: later(together(serviceFields)),
      referenceResults: option('--reference-detections FILE', "results in COCO's format of the reference"),
      laterResults: option('--detections FILE', "results in COCO's format of the later frames"),
      threshold: usual(thresholdForm, 'threshold of results, for every label', share, usualThreshold),
      areIndependent,
    },
    (values, { has }) => {
      const {
        referencePath,
        laterPath,
        split: part,
        service,
        referenceResults,
        laterResults,
        threshold,
        ...rest
      } = values;
      const isRun = ofService.some((name) => has(name));
      const results = ofResults.find((name) => has(name));
      if (isRun && results !== undefined)
        throw new UsageError(`--${results} is of results that are there already, so no service is run; leave one out.`);
      if (referenceResults !== null && part !== null)
        throw new UsageError('--split does not apply to results, whose images their truth lists; leave one out.');
      const reference: SideOptions = { path: referencePath, split: part, resultsPath: referenceResults, threshold };
      const later: SideOptions = { path: laterPath, split: null, resultsPath: laterResults, threshold };
      const answering: EvaluatedService | null = isRun ? { kind: 'service', ...service() } : null;
      return { ...rest, reference, later, service: answering };
    },
  ),
});
export type DriftArguments = ArgumentsOf<typeof driftRecord>;

export const signingKeyRecord = command('signing-key', {
  usage: ['key.pem'],
  notes: [
    "signing-key makes a key that signs certificates in a new file, which only its owner reads; of a file that is there it prints the key's fingerprint.",
  ],
  reads: together({ keyPath: word('FILE') }),
});
export type SigningKeyArguments = ArgumentsOf<typeof signingKeyRecord>;

const checkCertificateRecord = command('check', {
  usage: [
    'certificate.json --config machine.json [--model model.onnx] [--labels FILE] [--fingerprint F] [--data coco.json|data.yaml|data.jsonl|DIR [--split val]] [--drift drift.json]',
  ],
  notes: [
    'check with a certificate says of each thing that it names whether it is still so: configuration, model, labels, date and signature. Exit code 1 when the certificate is void, or --drift has other pictures.',
  ],
  reads: together(
    {
      certificatePath: word('certificate'),
      configPath,
      modelPaths,
      labelPaths,
      source: cameraSource,
      /** evaluated again; null: not */
      dataPath: option('--data PATH', 'frames on which it is evaluated again'),
      split,
      runtime: runtimeOfCertificate,
      /** what `sightglass drift` printed; null: nothing was compared */
      driftPath: option(
        '--drift FILE',
        'what drift printed: the certificate is void where later pictures of its camera differ from those of its evidence',
      ),
      /** null: any key, or none */
      fingerprint: option('--fingerprint F', 'of the key that must have signed it'),
    },
    (values) => {
      const { dataPath, modelPaths: models, split: part } = values;
      if (dataPath !== null && models.unnamed === null && Object.keys(models.byName).length === 0)
        throw new UsageError('check --data runs the model again: give it by --model.');
      if (dataPath === null && part !== null) throw new UsageError('--split goes with --data.');
      if (dataPath === null && values.runtime !== null) throw new UsageError('--runtime goes with --data.');
      return values;
    },
  ),
});
export type CheckCertificateArguments = ArgumentsOf<typeof checkCertificateRecord>;

export const checkRecord = byWords(checkStoreRecord, checkCertificateRecord, 'With a certificate');
