import { expect, it } from 'vitest';
import { guessFileKind } from './file-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:12\n', 'Git LFS'],
  ['\n<!DOCTYPE html><html>', 'web page'],
  ['<html lang="en">', 'web page'],
  ['PK\x03\x04\x00\x00model/data.pkl', 'PyTorch checkpoint'],
  ['PK\x03\x04\x00\x00model.onnx', 'zip archive'],
  ['\x1c\x00\x00\x00TFL3\x14', 'TensorFlow Lite'],
  ['\x80\x02}q\x00', 'pickle'],
  ['\x1f\x8b\x08', 'gzip'],
  ['\x89HDF\r\n', 'Keras'],
  ['{"model": 1}', 'JSON'],
  ['@\x01\x00\x00\x00\x00\x00\x00{"weight":', 'safetensors'],
])('%j looks like %s', (head, words) => {
  expect(guessFileKind(bytes(head))).toContain(words);
});

it('has nothing to say about the start of an ONNX file', () => {
  expect(guessFileKind(bytes('\x08\x08\x12\x07pytorch'))).toBe('');
});
