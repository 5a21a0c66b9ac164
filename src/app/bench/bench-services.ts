import { setAllLabelConfidences, setDefaultConfidence } from '../../machine/config/face/edits.ts';
import { recorderOf } from '../../machine/config/face/recorder.ts';
import type { BenchService, BenchServices } from '../captures/bench-services.ts';
import type { ConfigState } from './config/config-state.svelte.ts';

/** The vision services that have thresholds to tune on the bench. */
export function benchServices(config: ConfigState): BenchServices {
  const named = (name: string): BenchService | null => services().find((service) => service.name === name) ?? null;
  const services = (): readonly BenchService[] =>
    config.config.visionServices
      .filter(({ color }) => !color) // the scores of a colour detector are all 1
      .map(({ name, defaultMinimumConfidence, labelConfidences }) => ({
        name,
        rule: { defaultMinimumConfidence, labelConfidences },
      }));
  return {
    get all() {
      return services();
    },
    get configText() {
      return config.parsed.document.text;
    },
    tunedBy(recorder) {
      const found = recorderOf(config.parsed.document, recorder);
      return (found?.name === recorder ? named(found.of) : null) ?? named(recorder);
    },
    write: (service, { defaultMinimumConfidence, labelConfidences }) =>
      config.edit(`Thresholds of ${service}`, (text) => {
        const listed = setAllLabelConfidences(text, service, labelConfidences);
        const isListed = Object.keys(labelConfidences).length > 0;
        return isListed ? listed : setDefaultConfidence(listed, service, defaultMinimumConfidence);
      }),
  };
}
