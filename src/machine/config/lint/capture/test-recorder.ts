import { addRecorder } from '../../edit/edit-recorder.ts';
import { displayPath } from '../../json/json-path.ts';
import { lint } from '../lint.ts';
import { fixedText, machine } from '../test-samples.ts';

interface SampleEntry {
  name?: string;
  attributes: Record<string, unknown>;
  service_configs?: { type: string; attributes: { capture_methods: unknown } }[];
}

/** The services of the sample, for a test to change. */
export interface RecorderSample {
  readonly vision: SampleEntry;
  readonly recorder: SampleEntry;
  readonly manager: SampleEntry;
  /** the recorder's capture method */
  readonly method: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  /** everything, with an ML model service before these */
  readonly config: { services: SampleEntry[]; fragments?: unknown[]; components?: unknown[] };
}

const plain = addRecorder(
  machine(
    [],
    [
      {
        name: 'vision',
        api: 'rdk:service:vision',
        model: 'mlmodel',
        attributes: { mlmodel_name: 'model', camera_name: 'webcam', default_minimum_confidence: 0.5 },
      },
    ],
  ),
  'vision',
  { name: 'recorder', threshold: 0.05, rateHz: 1, camera: 'webcam' },
);

/** A configuration with a service `vision`, its `recorder` and a data manager, changed for a test. */
export function recorderText(change: (sample: RecorderSample) => void = () => {}): string {
  const config = JSON.parse(plain) as RecorderSample['config'];
  const [, vision, recorder, manager] = config.services;
  const methods = recorder!.service_configs![0]!.attributes.capture_methods as Record<string, unknown>[];
  const method = methods[0]!;
  const params = method['additional_params'] as Record<string, unknown>;
  change({ vision: vision!, recorder: recorder!, manager: manager!, method, params, config });
  return JSON.stringify(config, null, 2);
}

/** What a rule finds in a text, each as `severity path`, and what is left after its fixes. */
export function outcome(code: string, text: string): { readonly found: readonly string[]; readonly left: number } {
  const findings = (of: string) => lint(of).filter((finding) => finding.code === code);
  return {
    found: findings(text).map(({ severity, path }) => `${severity} ${displayPath(path)}`),
    left: findings(fixedText(code, text)).length,
  };
}

/** A row of a rule's table: what is changed, and the finding. */
export type RecorderRow = [title: string, change: (sample: RecorderSample) => void, found: readonly string[]];
