import { describe, expect, it } from 'vitest';
import { outcome, recorderText, type RecorderRow } from './test-recorder.ts';

const code = 'capture-disk';
const attributes = 'services[3].attributes';

describe(code, () => {
  it.each<RecorderRow>([
    ['the defaults', () => {}, []],
    [
      'no upload',
      ({ manager }) => (manager.attributes['sync_disabled'] = true),
      [`warning ${attributes}.sync_disabled`],
    ],
    ['an upload', ({ manager }) => (manager.attributes['sync_disabled'] = false), []],
    [
      'a disk that may fill',
      ({ manager }) => (manager.attributes['disk_usage_deletion_threshold'] = 1),
      [`warning ${attributes}.disk_usage_deletion_threshold`],
    ],
    [
      'captures that may fill it',
      ({ manager }) => (manager.attributes['capture_dir_deletion_threshold'] = 2),
      [`warning ${attributes}.capture_dir_deletion_threshold`],
    ],
    ['lower limits', ({ manager }) => (manager.attributes['disk_usage_deletion_threshold'] = 0.99), []],
    [
      'no pictures',
      ({ manager, method }) => {
        manager.attributes['sync_disabled'] = true;
        method['method'] = 'DoCommand';
      },
      [],
    ],
    ['no data manager', ({ config }) => config.services.pop(), []],
    ['no limit of a file', ({ manager }) => (manager.attributes['maximum_capture_file_size_bytes'] = 0), []],
  ])('%s', (_, change, found) => {
    expect(outcome(code, recorderText(change))).toEqual({ found, left: 0 });
  });

  it('says that the size of a file limits no picture', () => {
    const text = recorderText(({ manager }) => (manager.attributes['maximum_capture_file_size_bytes'] = 1000));
    expect(outcome(code, text).found).toEqual([`info ${attributes}.maximum_capture_file_size_bytes`]);
  });
});
