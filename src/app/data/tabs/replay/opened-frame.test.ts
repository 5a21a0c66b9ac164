import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { startTime, uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { AnnotationsSchema } from '../../../../gen/app/data/v1/data_pb.ts';
import { findFrame, openedResults } from './opened-frame.ts';

const rule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };
const other = { defaultMinimumConfidence: 0, labelConfidences: { CAT: 0.6 } };
const annotations = create(AnnotationsSchema, {
  bboxes: [
    { id: '1', label: 'cat', confidence: 0.55 },
    { id: '2', label: 'dog', confidence: 0.9 },
    { id: '3', label: 'cat' },
    { id: '4', label: 'cat', confidence: 0.6 },
  ],
  classifications: [{ id: '5', label: 'day', confidence: 0.2 }],
});

it('says which configuration keeps each result; what a person drew is none', () => {
  expect(openedResults(annotations, 'detections', { rule, other })).toEqual([
    { id: '1', label: 'cat', score: 0.55, byFirst: true, bySecond: false },
    { id: '2', label: 'dog', score: 0.9, byFirst: true, bySecond: false },
    { id: '4', label: 'cat', score: 0.6, byFirst: true, bySecond: true },
  ]);
  expect(openedResults(annotations, 'classifications', { rule, other: null })).toEqual([
    { id: '5', label: 'day', score: 0.2, byFirst: false, bySecond: null },
  ]);
  expect(openedResults(undefined, 'detections', { rule, other })).toEqual([]);
});

it('finds a frame by its capture time, to the microsecond', async () => {
  const { service, context } = await openDataTab();
  const at = startTime + 123_457;
  const metadata = {
    componentName: 'watch-recorder',
    componentType: 'rdk:service:vision',
    methodName: 'CaptureAllFromCamera',
  };
  await uploadPicture(service.owner, metadata, at - 1, 'before');
  const id = await uploadPicture(service.owner, metadata, at, 'this one');
  await uploadPicture(service.owner, metadata, at + 1, 'after');
  await uploadPicture(service.owner, { ...metadata, componentName: 'other' }, at, 'of another service');
  const choice = { partId: 'lab-part', serviceName: 'watch-recorder' };
  const { signal } = new AbortController();
  expect(await findFrame(context, choice, at / 1000, signal)).toBe(id);
  expect(await findFrame(context, choice, (at + 500) / 1000, signal)).toBeNull();
});
