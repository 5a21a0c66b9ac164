import { captureCost, costWords, rateWords } from '../../edit/capture-cost.ts';
import {
  capturedCamera,
  captureParameter,
  captureSetting,
  deciderWords,
  filterCaptures,
  filterOf,
  keepsPictures,
  visionCaptures,
} from '../../edit/data-capture.ts';
import { recorderParameter } from '../../edit/recorder.ts';
import type { Rule } from '../rule/rule.ts';

/** What the pictures cost that the data manager captures of a vision service; behind a filtered camera, that the filter decides. */
export const captureCostRule: Rule = {
  code: 'capture-cost',
  *check({ document, entries, facts }) {
    for (const capture of [...filterCaptures(document), ...visionCaptures(document)]) {
      const rate = captureSetting(capture, 'capture_frequency_hz').value;
      const isDisabled = captureSetting(capture, 'disabled').value === true;
      if (!keepsPictures(capture) || isDisabled || typeof rate !== 'number' || !(rate > 0)) continue;
      const { name } = capture.service;
      const decider = deciderWords(document, filterOf(entries, capture));
      if (decider !== '') {
        yield {
          path: captureSetting(capture, 'capture_frequency_hz').path,
          severity: 'info',
          message: `The machine asks ${name} ${rateWords(rate)}. ${decider}`,
        };
        continue;
      }
      const copied = captureParameter(capture, recorderParameter).value;
      const seen = facts[typeof copied === 'string' ? copied : name]?.pictures ?? facts[name]?.pictures ?? null;
      const cost = captureCost(entries, capturedCamera(capture), rate, seen);
      const beside = typeof copied === 'string' ? `, beside all calls of ${copied}` : '';
      yield {
        path: captureSetting(capture, 'capture_frequency_hz').path,
        severity: 'info',
        message: `The machine calls ${name} ${rateWords(rate)} and keeps the picture${beside}. ${costWords(cost)}`,
      };
    }
  },
};
