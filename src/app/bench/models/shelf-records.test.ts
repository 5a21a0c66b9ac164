import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { ShelfRecords, type ShelfRecord } from './shelf-records.svelte.ts';

const record = (fileName: string): ShelfRecord => ({
  fileName,
  openedAtMs: 1,
  settings: { vision: { input_image_bgr: true }, file: null },
  labels: null,
  inputs: [],
  outputs: [],
});

describe('ShelfRecords', () => {
  it('keeps the models that were opened last', () => {
    const memory = memoryStorage();
    const records = new ShelfRecords(memory);
    for (let at = 0; at <= 40; at++) records.put(`hash ${at}`, record(`${at}.onnx`));
    const later = new ShelfRecords(memory);
    expect([later.of('hash 0'), later.of('hash 1')]).toEqual([null, record('1.onnx')]);
  });

  it('forgets what paths mean with the model that they mean', () => {
    const memory = memoryStorage();
    const records = new ShelfRecords(memory);
    records.mean('/a.onnx', { sha256: 'a', by: 'bench' });
    records.mean('/b.onnx', { sha256: 'b', by: 'person' });
    records.forget('a');
    expect(['/a.onnx', '/b.onnx', ''].map((path) => new ShelfRecords(memory).meaningOf(path))).toEqual([
      null,
      { sha256: 'b', by: 'person' },
      null,
    ]);
  });

  it('takes what it cannot read for nothing', () => {
    const memory = memoryStorage();
    memory.setItem('sightglass:shelf:a', '{"fileName":"a.onnx","settings":3}');
    memory.setItem('sightglass:shelf-paths', '{"/a.onnx":{"sha256":1},"/b.onnx":{"sha256":"b","by":"name"}}');
    const records = new ShelfRecords(memory);
    expect([records.of('a'), records.meaningOf('/a.onnx'), records.meaningOf('/b.onnx')?.sha256]).toEqual([
      null,
      null,
      'b',
    ]);
  });
});
