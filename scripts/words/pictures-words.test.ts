import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { textsOf } from './texts-of.ts';

// The pictures of the documentation are compared with the app at night alone. Meanwhile each word on them is one of today's sources.

/** Lines that several texts make, or data. */
const composed = [
  '# (face?)',
  '# remarks',
  'Ada (you)',
  'Ada you\t#\t#\t#\t#',
  'Every result is kept# because the default is # even rows of score # The machine keeps them# too#',
  'First location',
  'Label\tScore\tx# y – x# y',
  'One face is missing',
  'Owner · My organization',
  'Person\tTo fix\tOpen\tDone\tAccepted\tShare accepted',
  'This face# too',
  'best#fitted#onnx# best#fitted#labels#txt# best#fitted#machine#json · # kB',
  'built in · # kB',
  'face #',
  'faces #jpg',
  'faces: attributes#input_image_mean_value',
  'faces: attributes#input_image_std_dev',
  'faces: attributes#mlmodel_name',
  'front · GetImages# scale · Readings',
  'tuned: attributes#pipeline[#]#attributes#angle_deg',
];

/** Numbers as the noted words of pictures have them. */
const withoutNumbers = (text: string): string => text.replaceAll(/[\d.,]+/g, '#');
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

it('the words on the pictures of the documentation are texts of the app, else "npm run pictures" takes them anew', () => {
  const pictures = JSON.parse(readFileSync('docs/pictures/words.json', 'utf8')) as Record<string, readonly string[]>;
  const lines = [...new Set(Object.values(pictures).flat())].filter((line) => / /.test(line));
  const sources = globSync('src/{app,machine,models}/**/*.{svelte,ts}').filter((path) => !path.endsWith('.test.ts'));
  const texts = new Set(
    sources.flatMap((path) => textsOf(path, readFileSync(path, 'utf8')).map(({ text }) => withoutNumbers(text))),
  );
  const patterns = [...texts]
    .filter((text) => /\p{L}{3}/u.test(text))
    .map((text) => new RegExp(`^${text.split('…').map(escaped).join('.*')}$`, 'u'));
  const others = lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
  expect(others.sort()).toEqual(composed);
});
