import { expect, it } from 'vitest';
import { openConfigFile } from './open-config-file.ts';

const text = '{ "components": [], "services": [], "name": "Zürich" }';
const utf16 = (little: boolean, mark: boolean): Uint8Array<ArrayBuffer> => {
  const units = mark ? `\uFEFF${text}` : text;
  const view = new DataView(new ArrayBuffer(2 * units.length));
  for (let at = 0; at < units.length; at++) view.setUint16(2 * at, units.charCodeAt(at), little);
  return new Uint8Array(view.buffer);
};
const inUtf16 = 'it is in UTF-16, and the machine reads UTF-8 only: save it as UTF-8';
const other = 'its text is not in UTF-8, the only encoding that the machine reads: save it as UTF-8';
const latin1 = Uint8Array.from(text, (character) => character.charCodeAt(0));

async function open(content: BlobPart, isConfiguration = true) {
  const given: string[][] = [];
  const importFile = (...all: [string, string]): boolean => given.push(all) > 0 && isConfiguration;
  return [await openConfigFile({ importFile }, new File([content], 'a.json')), given];
}

it('opens the very text of a file, with its byte order mark', async () => {
  for (const exact of [text, `\uFEFF${text}`, ' \r\n']) expect(await open(exact)).toEqual([null, [[exact, 'a.json']]]);
});

it.each([
  ['UTF-16, little end first', utf16(true, true), inUtf16],
  ['UTF-16, big end first', utf16(false, true), inUtf16],
  ['UTF-16 without a byte order mark', utf16(true, false), inUtf16],
  ['UTF-16, big end first, without a byte order mark', utf16(false, false), inUtf16],
  ['Latin-1', latin1, other],
])('says of a file in %s what to do', async (_, bytes, why) => {
  expect(await open(bytes)).toEqual([why, []]);
});

it('says of another file that it is no configuration', async () => {
  const why = 'it contains no machine configuration: no service and no camera';
  for (const content of ['', '1', Uint8Array.of(0, 1), '{ "a": 1 }'])
    expect(await open(content, false)).toEqual([why, [[expect.any(String), 'a.json']]]);
});
