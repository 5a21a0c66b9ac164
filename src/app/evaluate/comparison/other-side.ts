import { changedSettings, importConfig, ShareError, withoutSecrets } from '../../../machine/config/face/edits.ts';
import { parseMachineConfig } from '../../../machine/config/face/machine-config.ts';
import type { RunRecord } from '../../../platform/ports/result-store.ts';
import { ruleInForce, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import { counted, minuteText, numberText } from '../../kit/words/figures.ts';

/** What a run is told by, beside its results. */
export type RunFacts = Pick<RunRecord, 'serviceName' | 'modelName' | 'sha256' | 'backend' | 'configText'>;

/** What the run on the page can be compared with. */
export interface OtherSide extends RunFacts {
  readonly id: string;
  /** null: the results of the run on the page, filtered by other thresholds */
  readonly key: string | null;
  readonly title: string;
  /** what differs from the run on the page, in words */
  readonly words: string;
  readonly rule: ServiceFilterRule;
}

const noFilter: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };

/** Another run of the same images. */
export function otherRun(record: RunRecord, present: RunFacts): OtherSide {
  const { key, serviceName, modelName, imageCount, endedMs } = record;
  return {
    ...record,
    id: `run ${key}`,
    title: `${modelName} · ${serviceName || 'no service'}`,
    words: `${differenceWords(present, record)} · ${counted(imageCount, 'image')}, ${minuteText(endedMs)} UTC`,
    rule: ruleOf(record.configText, serviceName),
  };
}

/** The thresholds of the other vision services of a configuration. `source`: where it is from; '': the bench. */
export function otherThresholds(configText: string, source: string, present: RunFacts): readonly OtherSide[] {
  return parseMachineConfig(configText)
    .config.visionServices.filter(({ name }) => source !== '' || name !== present.serviceName)
    .map((service) => ({
      ...present,
      serviceName: service.name,
      configText,
      id: `thresholds ${source} ${service.name}`,
      key: null,
      title: `Thresholds of ${service.name}${source && ` in ${source}`}`,
      words: `the same run, filtered again: ${ruleWords(service)}`,
      rule: service,
    }));
}

/**
 * The thresholds of a configuration file, whose secrets are left out: what differs is told in reports.
 * @throws Error with the words of what is wrong with it
 */
export function thresholdsOfFile(text: string, fileName: string, present: RunFacts): readonly OtherSide[] {
  const found = otherThresholds(readableConfig(text, fileName), fileName, present);
  if (found.length > 0) return found;
  throw new Error(
    `${fileName} has no vision service of the model "mlmodel". Choose a machine configuration as JSON, or an entry of one.`,
  );
}

function readableConfig(text: string, fileName: string): string {
  try {
    return withoutSecrets(importConfig(text).text).text;
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    throw new Error(`${fileName} is not JSON, or has mistakes in it. Choose a machine configuration as JSON.`, {
      cause: error,
    });
  }
}

/** The thresholds of a service. A service that the configuration lacks keeps every box. */
export function ruleOf(configText: string, serviceName: string): ServiceFilterRule {
  return parseMachineConfig(configText).config.visionServices.find(({ name }) => name === serviceName) ?? noFilter;
}

function ruleWords(rule: ServiceFilterRule): string {
  switch (ruleInForce(rule)) {
    case 'none':
      return 'everything is kept';
    case 'default_minimum_confidence':
      return `from ${numberText(rule.defaultMinimumConfidence)} up, for every label`;
    case 'label_confidences':
      return `thresholds of ${counted(Object.keys(rule.labelConfidences).length, 'label')}`;
  }
}

const thresholdKeys = /(^|\W)(default_minimum_confidence|label_confidences)(\W|$)/;
const MOST_SETTINGS = 2;

/** By what another run differs, the most telling first. */
export function differenceWords(present: RunFacts, other: RunFacts): string {
  const words: string[] = [];
  if (other.sha256 !== present.sha256 || other.modelName !== present.modelName) {
    const isNamedAlike = other.modelName === present.modelName;
    words.push(isNamedAlike ? `another model named ${other.modelName}` : `model ${other.modelName}`);
  }
  if (other.backend !== present.backend) words.push(`on ${other.backend} instead of ${present.backend}`);
  if (other.serviceName !== present.serviceName) words.push(`service ${other.serviceName}`);
  const settings = changedSettings(present.configText, other.configText);
  const others = settings.filter(({ place }) => !thresholdKeys.test(place));
  words.push(...others.slice(0, MOST_SETTINGS).map(({ place, first, second }) => settingWords(place, first, second)));
  if (others.length > MOST_SETTINGS) words.push(`${counted(others.length - MOST_SETTINGS, 'other setting')} more`);
  if (others.length < settings.length) words.push('other thresholds');
  return words.join(' · ') || 'other labels or another source camera';
}

function settingWords(place: string, first: string, second: string): string {
  const short = (text: string): string => (text.length > 30 ? `${text.slice(0, 29)}…` : text);
  if (second === '') return `no ${place}`;
  return `${place} ${short(second)}${first && ` instead of ${short(first)}`}`;
}
