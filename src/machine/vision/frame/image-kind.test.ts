import { expect, it } from 'vitest';
import { imageKindOf, unreadableImage, whyUndrawn } from './image-kind.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['II*\0\b\0\0\0', 'TIFF'],
  ['MM\0*\0\0\0\b', 'TIFF'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1', 'HEIC'],
  ['\0\0\0\x18ftypmif1\0\0\0\0', 'HEIC'],
  ['\0\0\0\x18ftypavif\0\0\0\0', 'AVIF'],
  ['\0\0\0\x18ftypisom\0\0\0\0', null],
  ['RIFF\0\0\0\0WEBPVP8 ', 'WebP'],
  ['RIFF\0\0\0\0WAVEfmt ', null],
  ['GIF89a', 'GIF'],
  ['BM\0\0', 'BMP'],
  ['8BPS\0\x01', 'Photoshop'],
  ['%PDF-1.7', 'PDF'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', 'SVG'],
  ['<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "x">\n<svg>', 'SVG'],
  ['<?xml version="1.0"?><annotation>', null],
  ['<svgs>', null],
  ['', null],
])('%j is %s', (start, kind) => {
  expect(imageKindOf(bytes(start))).toBe(kind);
});

it.each([
  ['', 'The file is empty.'],
  ['II*\0', 'This is a TIFF file, which is not read here. Save it as PNG'],
  ['<svg>', 'This is an SVG drawing'],
  ['hello', 'These bytes are not a picture of a known kind.'],
])('says of %j why, and what to do', (start, words) => {
  expect(unreadableImage(bytes(start))).toContain(words);
});

it.each([
  ['', 'The file is empty.'],
  ['\xff\xd8\xff\xe0', 'The JPEG is damaged or cut off.'],
  ['\x89PNG\r\n', 'The PNG is damaged or cut off.'],
  ['MM\0*', 'This TIFF file is not shown here.'],
  ['hello', 'The file is not a picture.'],
])('says of %j why it is not drawn', (start, words) => {
  expect(whyUndrawn(bytes(start))).toBe(words);
});
