import { expect, it } from 'vitest';
import { readWorkRest, wholeOverview, workRest, type WorkRoute } from './work-route.ts';

it.each<WorkRoute>([
  wholeOverview,
  { kind: 'overview', datasetId: 'd/1', state: 'to-fix', who: 'key:a:b' },
  { kind: 'label', pictureId: 'a/lab/1' },
  { kind: 'label', pictureId: 'task:t1:a/lab/1' },
  { kind: 'review', imageId: 'a/lab/1' },
])('reads what it wrote: %j', (place) => expect(readWorkRest(workRest(place))).toEqual(place));

it.each(['/label/%', '/label/', '/elsewhere/a', '?state=lost'])('takes %s for the overview', (rest) =>
  expect(readWorkRest(rest)).toEqual(wholeOverview),
);
