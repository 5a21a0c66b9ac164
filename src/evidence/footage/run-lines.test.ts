import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame, runSetup } from '../../../tests/footage-frames.ts';
import { endLine, frameLine, RunReader, setupLine } from './run-lines.ts';

const readBack = (line: string) => new RunReader().read(line.trimEnd());

describe('lines of a run', () => {
  it.each([
    ['boxes', footageFrame(3, [['cat', Math.fround(0.7)], ['dog', 1e-9]])], // prettier-ignore
    ['scores that are no numbers in JSON', footageFrame(4, [['cat', NaN], ['dog', Infinity]])], // prettier-ignore
    ['classes', classifiedFrame(5, { open: 0.8, shut: Math.fround(0.1) })],
    ['a failure', failedFrame(6)],
    [
      'pictures on the way',
      footageFrame(7, [['cat', 0.5], ['dog', 0.5]], { stages: [{ step: -1, widthPx: 4, heightPx: 2, uncut: { widthPx: 5, heightPx: 3 } }, { step: 0, widthPx: 100, heightPx: 50 }] }), // prettier-ignore
    ],
  ])('give back %s, each number as it was', (_, frame) => {
    const line = frameLine(frame);
    expect(line.split('\n')).toHaveLength(2);
    expect(readBack(line)).toEqual({ kind: 'frame', frame });
  });

  it('give back setup and end', () => {
    expect(readBack(setupLine(runSetup))).toEqual({ kind: 'setup', setup: runSetup });
    expect(readBack(endLine({ frames: 9, failed: 1 }))).toEqual({ kind: 'end', end: { frames: 9, failed: 1 } });
  });

  it('share one label table until a new label occurs, and leave tables as they are', () => {
    const reader = new RunReader();
    const tables = ['cat', 'cat', 'dog', 'cat'].map((label, at) => {
      const read = reader.read(frameLine(footageFrame(at, [[label as 'cat', 0.9]])));
      return read.kind === 'frame' ? read.frame.detections!.labels : null;
    });
    expect(tables[1]).toBe(tables[0]);
    expect(tables[3]).toBe(tables[2]);
    expect(tables).toEqual([['cat'], ['cat'], ['cat', 'dog'], ['cat', 'dog']]);
  });

  it.each([
    ['no JSON', '{"frame": 1, "timeM'],
    ['no object', '3'],
    ['no frame', '{"frame": 1}'],
    ['a score that is not a number', frameLine(footageFrame(0, [['cat', 0.5]])).replace('0.5', '"high"')],
    ['a label that is no text', frameLine(footageFrame(0, [['cat', 0.5]])).replace('"cat"', '7')],
    ['another format', setupLine(runSetup).replace('"run":1', '"run":2')],
    ['a setup without its source', setupLine(runSetup).replace('"source"', '"origin"')],
  ])('are refused: %s', (_, text) => {
    const reader = new RunReader();
    reader.read(setupLine(runSetup));
    expect(() => reader.read(text)).toThrow(/Line 2|another version/);
  });
});
