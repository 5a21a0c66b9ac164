import { applyFix } from '../../src/machine/config/lint/apply-fix.ts';
import type { Finding, LintFacts, ModelJudge, Severity } from '../../src/machine/config/lint/rule/finding.ts';
import { lint } from '../../src/machine/config/lint/lint.ts';
import {
  cameraSample,
  colorSample,
  conditionalSample,
  filterSample,
  stepSample,
  visionSample,
  type Sample,
} from '../../src/machine/config/lint/test-samples.ts';
import { isObject, parseDocument, valueAt } from '../../src/machine/config/json/json-document.ts';
import { judgeModule } from '../../src/models/fit/modules/judge-module.ts';

/** An example of docs/lint-rules.md, and the finding of the rule. */
export interface LintExample {
  /** what the example is, for its caption */
  readonly about: string;
  readonly findings: readonly { readonly severity: Severity; readonly message: string; readonly mend: string | null }[];
  /** the example after the mends of all findings; null where there is no mend */
  readonly mended: string | null;
}

/** No model file is at hand: attributes alone are judged. */
const judge: ModelJudge = ({ model, attributes }) => judgeModule(model, attributes, null);

/**
 * Asks one rule about an example.
 * @param kind what the text is: `vision` or `camera` (attributes of such a resource), `step TYPE` (attributes of a step), `whole`
 * @param facts as JSON, what is known of the model behind the vision service; '' = nothing
 * @throws Error where the rule finds nothing, or the kind is unknown
 */
export function askRule(code: string, kind: string, text: string, facts: string): LintExample {
  const sample = sampleOf(kind, text);
  const known: LintFacts = facts === '' ? {} : { vision: JSON.parse(facts) as LintFacts[string] };
  const find = (config: string): readonly Finding[] =>
    lint(config, known, judge).filter((finding) => finding.code === code);
  const findings = find(sample.text);
  if (findings.length === 0) throw new Error(`The rule ${code} finds nothing in its example:\n${text}`);
  let mended = sample.text;
  // Each mend is made on the text that the one before left.
  for (let fix = findings.find((one) => one.fix)?.fix; fix; fix = find(mended).find((one) => one.fix)?.fix)
    mended = applyFix(mended, fix);
  return {
    about: sample.about,
    findings: findings.map(({ severity, message, fix }) => ({ severity, message, mend: fix?.title ?? null })),
    mended: mended === sample.text ? null : sample.show(mended),
  };
}

function sampleOf(kind: string, text: string): Sample & { about: string; show: (text: string) => string } {
  const [form, type = ''] = kind.split(' ');
  if (form === 'whole') return { text, path: [], about: 'the configuration', show: (mended) => mended };
  const attributes: unknown = JSON.parse(text);
  const { sample, about } =
    form === 'vision'
      ? { sample: visionSample(attributes), about: 'attributes of the vision service' }
      : form === 'color'
        ? { sample: colorSample(attributes), about: 'attributes of the colour detector' }
        : form === 'filter'
          ? { sample: filterSample(attributes), about: 'attributes of the filtered camera' }
          : form === 'conditional'
            ? { sample: conditionalSample(attributes), about: 'attributes of the conditional camera' }
            : form === 'camera'
              ? { sample: cameraSample(attributes), about: 'attributes of the transform camera' }
              : { sample: stepSample(type, attributes), about: `attributes of a ${type} step` };
  if (!['vision', 'color', 'filter', 'conditional', 'camera', 'step'].includes(form!))
    throw new Error(`An example is no "${kind}".`);
  return { ...sample, about, show: (mended) => shownAt(mended, sample.path, attributes) };
}

/** The attributes in a mended text, less what the sample put around the example; where their step is gone, the pipeline without it. */
function shownAt(text: string, path: Sample['path'], example: unknown): string {
  const document = parseDocument(text);
  const left = valueAt(document, path);
  if (!isObject(left)) return shortJson({ pipeline: valueAt(document, path.slice(0, -2)) });
  const isAdded = (key: string): boolean => aroundExamples.includes(key) && !(isObject(example) && key in example);
  return shortJson(Object.fromEntries(Object.entries(left).filter(([key]) => !isAdded(key))));
}

const aroundExamples = [
  'mlmodel_name',
  'detect_color',
  'hue_tolerance_pct',
  'source',
  'pipeline',
  'camera',
  'vision_services',
  'window_seconds_before',
];

/** JSON as people write it: short lists and objects on one line. */
function shortJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/([[{]) | (?=[\]}])/g, '$1');
  const spaced = flat.replace(/^\{(.+)\}$/, '{ $1 }');
  if (typeof value !== 'object' || value === null || indent.length + spaced.length <= 90) return spaced;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((one) => shortJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${shortJson(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}
