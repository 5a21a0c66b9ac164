import { describe, expect, it } from 'vitest';
import { runRecord } from './run-record.ts';
import { UsageError } from '../record/usage-error.ts';

const base = ['--config', 'm.json', '--vision', 'v', '--model', 'v.onnx', '--out', 'out'];
const video = [...base, '--video', 'clip.mp4'];
const parse = (args: readonly string[]) => runRecord.read(args);

describe('run', () => {
  it('takes a video from its beginning to its end, unless told otherwise', () => {
    expect(parse(video)).toMatchObject({
      name: 'run',
      footage: { kind: 'video', path: 'clip.mp4' },
      outDir: 'out',
      choice: { every: 1, fromMs: 0, toMs: null, framesPerSecond: null },
      draws: false,
      dataset: null,
    });
    const { choice, draws } = parse([...video, '--every', '3', '--from', '1:30.5', '--to', '1:02:03', '--draw']);
    expect({ choice, draws }).toEqual({
      choice: { every: 3, fromMs: 90_500, toMs: 3_723_000, framesPerSecond: null },
      draws: true,
    });
  });

  it('takes a folder, a picture a second unless told otherwise', () => {
    const folder = [...base, '--frames', 'shots'];
    expect(parse(folder)).toMatchObject({ footage: { kind: 'folder' }, choice: { framesPerSecond: 1 } });
    expect(parse([...folder, '--fps', '12.5']).choice.framesPerSecond).toBe(12.5);
  });

  it('takes rules for a dataset', () => {
    const rules = ['every:30', 'interval:1:30', 'change', 'change:2', 'label:a:b', 'score:0.3-0.6', 'score:0-1:cat'];
    const { dataset } = parse([...video, ...rules.flatMap((rule) => ['--dataset', rule])]);
    expect(dataset).toEqual({
      format: 'coco',
      rules: [
        { kind: 'every', frames: 30 },
        { kind: 'interval', everyMs: 90_000 },
        { kind: 'change', holdMs: 500 },
        { kind: 'change', holdMs: 2000 },
        { kind: 'label-appears', label: 'a:b', absentForMs: 1000 },
        { kind: 'score-between', label: null, low: 0.3, high: 0.6 },
        { kind: 'score-between', label: 'cat', low: 0, high: 1 },
      ],
    });
    expect(parse([...video, '--dataset', 'change', '--dataset-format', 'yolo']).dataset?.format).toBe('yolo');
  });

  it.each([
    [base, /--video FILE, or --frames DIR/],
    [[...video, '--frames', 'shots'], /both --video and --frames/],
    [[...video, 'clip.mp4'], /options only, got "clip.mp4"/],
    [[...video, '--fps', '5'], /times of its own/],
    [[...base, '--frames', 'shots', '--fps', '0'], /above 0, got "0"/],
    [[...video, '--every', '0'], /at least 1, got "0"/],
    [[...video, '--from', '1m'], /--from wants a time/],
    [[...video, '--from', '5', '--to', '4'], /--to 4 lies before --from 5/],
    [[...video, '--dataset', 'every:0'], /got "every:0"/],
    [[...video, '--dataset', 'score:0.5'], /got "score:0.5"/],
    [[...video, '--dataset', 'score:0.5-2'], /from 0 to 1, got "2"/],
    [[...video, '--dataset', 'differs:1'], /got "differs:1"/],
    [[...video, '--dataset-format', 'coco'], /goes with --dataset RULE/],
    [[...video, '--dataset', 'change', '--dataset-format', 'labelme'], /one of viam-jsonl, coco/],
    [video.filter((part) => part !== '--out' && part !== 'out'), /run wants --out/],
  ])('refuses %j', (argv, words) => {
    expect(() => parse(argv)).toThrow(UsageError);
    expect(() => parse(argv)).toThrow(words);
  });
});
