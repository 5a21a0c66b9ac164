import { expect, it } from 'vitest';
import { previewKind } from './preview-kind.ts';

it.each([
  ['text/plain', 'notes', 5, 'text'],
  ['application/json; charset=utf-8', 'a', 5, 'text'],
  ['application/ld+json', 'a', 5, 'text'],
  ['application/octet-stream', 'arm.URDF', 5, 'text'],
  ['application/octet-stream', 'arm.bag', 5, null],
  ['application/octet-stream', 'yaml', 5, null],
  ['text/plain', 'empty.txt', 0, null],
  ['text/plain', 'trace.log', 8e6 + 1, null],
  ['video/mp4', 'a.mp4', 64e6, 'video'],
  ['video/mp4', 'a.mp4', 64e6 + 1, null],
  ['image/gif', 'a.gif', 5, 'image'],
  ['image/svg+xml', 'a.svg', 5, 'image'],
  ['audio/wav', 'a.wav', 5, 'audio'],
] as const)('of %s, %s with %d bytes is %s', (mimeType, name, sizeBytes, kind) => {
  expect(previewKind({ mimeType, name, sizeBytes })).toBe(kind);
});
