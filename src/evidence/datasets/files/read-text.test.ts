import { expect, it } from 'vitest';
import { listedFile } from '../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { readText } from './read-text.ts';

it.each([
  ['UTF-8', [0xc3, 0xa4], []],
  ['UTF-16', [0xff, 0xfe, 0xe4, 0x00], []],
  ['windows-1252', [0xe4], [['note', 'a.txt', null, 'The file is not UTF-8; read as windows-1252.']]],
])('reads %s, and notes only what it had to guess', async (_, bytes, problems) => {
  const report = new DatasetReport();
  expect(await readText(listedFile('a.txt', Uint8Array.from(bytes)), report)).toBe('ä');
  expect(report.problems.map(({ severity, file, line, message }) => [severity, file, line, message])).toEqual(problems);
});
