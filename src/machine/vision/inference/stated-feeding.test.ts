import { describe, expect, it } from 'vitest';
import { exporterFeedingKey, fittedFeedingKey, statedFeeding } from './stated-feeding.ts';

const fitted = (value: unknown) => statedFeeding({ [fittedFeedingKey]: JSON.stringify(value) });
const exported = (value: unknown) => statedFeeding({ [exporterFeedingKey]: JSON.stringify(value) });

describe('the feeding that a file states', () => {
  it('is that of the attributes with which it was fitted', () => {
    const attributes = {
      input_image_mean_value: [0.4, 0.5, 0.6],
      input_image_std_dev: [0.1, 0.2, 0.3],
      input_image_bgr: true,
    };
    const range = { meanValue: [0.4, 0.5, 0.6], stdDev: [0.1, 0.2, 0.3] };
    expect(fitted(attributes)).toEqual({ source: 'fitted', guess: null, familyName: '', bgr: true, range });
  });

  it('has no range where the fitted model takes bytes', () => {
    expect(fitted({})).toEqual({ source: 'fitted', guess: null, familyName: '', bgr: false, range: null });
  });

  it('is what its exporter says of bytes, one number for all channels, and nothing of colours', () => {
    const range = { meanValue: [0.5, 0.5, 0.5], stdDev: [0.25, 0.25, 0.25] };
    expect(exported({ mean: [127.5], std: [63.75] })).toEqual({
      source: 'exporter',
      guess: null,
      familyName: '',
      bgr: null,
      range,
    });
  });

  it.each([
    ['RGB', { source: 'exporter', guess: null, familyName: '', bgr: false, range: null }],
    ['GRAYSCALE', null],
  ])('is the order of colours that its exporter says: %s', (color_space, feeding) => {
    expect(exported({ color_space })).toEqual(feeding);
  });

  it('is what was fitted before what an exporter said', () => {
    const both = { [fittedFeedingKey]: '{}', [exporterFeedingKey]: '{"mean":[0],"std":[255]}' };
    expect(statedFeeding(both)?.source).toBe('fitted');
  });

  it.each([
    ['nothing', {}],
    ['no JSON', { [fittedFeedingKey]: 'mean 0.5' }],
    ['a list', { [fittedFeedingKey]: '[1]' }],
    ['two channels', { [exporterFeedingKey]: '{"mean":[1,2],"std":[1,2]}' }],
    ['a deviation of 0', { [exporterFeedingKey]: '{"mean":[0],"std":[0]}' }],
    ['words for numbers', { [exporterFeedingKey]: '{"mean":["0"],"std":["1"]}' }],
    ['a mean alone', { [exporterFeedingKey]: '{"mean":[0]}' }],
  ])('is none of %s', (_, metadata) => {
    expect(statedFeeding(metadata)).toBeNull();
  });
});
