import { captureCost, costWords, rateWords } from '../capture-cost.ts';
import {
  captureControlSensor,
  capturedCamera,
  captureParameter,
  captureSetting,
  filterCaptures,
  filterOf,
  keepsPictures,
  visionCaptures,
} from '../data-capture.ts';
import { recorderParameter } from '../recorder.ts';
import type { ConfigEntry } from '../config-entries.ts';
import type { Rule } from './rule.ts';

/** What the pictures cost that the data manager captures of a vision service; behind a filtered camera, that the filter decides. */
export const captureCostRule: Rule = {
  code: 'capture-cost',
  *check({ document, entries, facts }) {
    const sensor = captureControlSensor(document);
    for (const capture of [...filterCaptures(document), ...visionCaptures(document)]) {
      const filter = filterOf(entries, capture);
      const rate = captureSetting(capture, 'capture_frequency_hz').value;
      const isDisabled = captureSetting(capture, 'disabled').value === true;
      if (!keepsPictures(capture) || isDisabled || typeof rate !== 'number' || !(rate > 0)) continue;
      const { name } = capture.service;
      if (sensor !== '' || filter) {
        const by = sensor === '' ? sieveWords(filter!) : `the sensor ${sensor}`;
        const what = sensor === '' ? 'How many pictures of' : 'How often pictures of';
        yield {
          path: captureSetting(capture, 'capture_frequency_hz').path,
          severity: 'info',
          message: `The machine asks ${name} ${rateWords(rate)}. ${what} it are kept is decided at run time, by ${by}.`,
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

function sieveWords({ kind, name }: ConfigEntry): string {
  return `the ${kind === 'filtered-camera' ? 'filtered' : 'conditional'} camera ${name}`;
}
