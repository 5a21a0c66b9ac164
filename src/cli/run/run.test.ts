import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliFolder, config } from '../../../tests/cli-folder.ts';
import { hasFfmpeg, makeVideo, withoutFfmpeg } from '../../../tests/ffmpeg.ts';
import { patternFrame } from '../../machine/vision/frame/pattern-frame.ts';
import { readFrameFile, writePngFile } from '../../platform/node/frame-file.ts';
import { readVideoTraits } from '../../platform/node/ffmpeg/video-frames.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import type { RunArguments } from './run-record.ts';
import { run } from './run.ts';

const { at, write, base } = cliFolder();

/** Runs the command; `stopAfter` frames it is ended as by Ctrl+C. */
async function start(argv: readonly string[], stopAfter = Infinity) {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  const controller = new AbortController();
  const command = parseCommand(argv) as RunArguments & { readonly name: 'run' };
  const code = await run(
    command,
    {
      print: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
      say: (text) => {
        said.push(text);
        if (text.startsWith('broken')) stopAfter--;
        if (stopAfter <= 0) controller.abort();
      },
    },
    controller.signal,
  );
  return { code, line: lines[0], said: said.join('\n') };
}

let folders = 0;

/** A folder of three pictures of different colours, one broken one and one text: s2 before s10. */
async function shots(): Promise<{ readonly frames: string; readonly out: string }> {
  const folder = at(`run-${folders++}`);
  const frames = join(folder, 'shots');
  await mkdir(frames, { recursive: true });
  for (const [number, side] of [[1, 10], [2, 12], [10, 14]] as const)
    await writePngFile(join(frames, `s${number}.png`), patternFrame('rgba8', side, 8)); // prettier-ignore
  await writeFile(join(frames, 'broken3.jpg'), 'no picture');
  await writeFile(join(frames, 'notes.txt'), 'mine');
  return { frames, out: join(folder, 'out') };
}
const linesOf = async (path: string): Promise<Record<string, unknown>[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('run over a folder', () => {
  it('writes the results of each picture, names a broken one and does the others', async () => {
    const { frames, out } = await shots();
    const { code, line, said } = await start([...base('run', 'picky', 'fixed.onnx'), '--labels', at('labels.txt'), '--frames', frames, '--out', out]); // prettier-ignore
    expect(code).toBe(1);
    expect(line).toMatchObject({
      frames: 4,
      failed: 1,
      fromMs: 0,
      toMs: 3000,
      changes: 1,
      annotated: null,
      dataset: null,
    });
    expect(said).toContain('1 files are not pictures');
    expect(said).toMatch(/broken3\.jpg, frame 0: .*neither PNG nor JPEG/);
    const [setup, ...rows] = await linesOf(join(out, 'frames.jsonl'));
    expect(setup).toMatchObject({
      run: 1,
      serviceName: 'picky',
      source: { kind: 'folder', name: 'shots' },
      models: { picky: { runtime: expect.stringMatching(/^ONNX Runtime /) } },
    });
    expect(rows.map(({ frame, name, timeMs }) => [frame, name, timeMs]).slice(0, 4)).toEqual([
      [0, 'broken3.jpg', 0],
      [1, 's1.png', 1000],
      [2, 's2.png', 2000],
      [3, 's10.png', 3000],
    ]);
    // The model says cat 0.9 and dog 0.7 of every picture; the service's threshold of 0.7 drops what rounds below it.
    expect((rows[1]!['detections'] as object[]).length).toBe(2);
    expect(rows.at(-1)).toEqual({ end: { frames: 4, failed: 1 } });
    const csv = (await readFile(join(out, 'results.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(csv).toHaveLength(5);
    expect(csv[2]).toBe('1,1000,s1.png,cat,0.8999999761581421,4,3,9,7,0.4,0.375,0.9,0.875,');
    expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('cat 0 → 1');
  });

  it('goes through the cameras of the machine, and draws what the machine draws', async () => {
    const { frames, out } = await shots();
    const { line } = await start([...base('run', 'bright', 'bright.onnx'), '--camera', '', '--frames', frames, '--out', out, '--draw']); // prettier-ignore
    expect(line).toMatchObject({ annotated: join(out, 'annotated') });
    const rows = await linesOf(join(out, 'frames.jsonl'));
    expect(rows[0]).toMatchObject({ cameraName: 'right-half', steps: [{ type: 'crop' }] });
    expect(rows[2]).toMatchObject({
      stages: [
        { step: -1, widthPx: 10 },
        { step: 0, widthPx: 5, heightPx: 8 },
      ],
    });
    expect((await readdir(join(out, 'annotated'))).sort()).toEqual(['s1.png', 's10.png', 's2.png']);
    const drawn = await readFrameFile(join(out, 'annotated', 's1.png'));
    expect([drawn.widthPx, drawn.heightPx]).toEqual([5, 8]);
  });

  it('draws pictures whose names differ in their endings alone into files of their own', async () => {
    const { frames, out } = await shots();
    await copyFile(join(frames, 's2.png'), join(frames, 's1.jpg'));
    await start([...base('run', 'picky', 'fixed.onnx'), '--frames', frames, '--out', out, '--draw']);
    const drawn = (await readdir(join(out, 'annotated'))).sort();
    expect(drawn).toEqual(['s1.png', 's1.png.png', 's10.png', 's2.png']);
    const sides = drawn.map(async (name) => (await readFrameFile(join(out, 'annotated', name))).widthPx);
    expect(await Promise.all(sides)).toEqual([12, 10, 14, 12]);
  });

  it('goes on where it was stopped, and takes a line that was cut off for none', async () => {
    const { frames, out } = await shots();
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--frames', frames, '--out', out];
    const stopped = await start(argv, 1);
    expect(stopped).toMatchObject({ code: 130, line: undefined });
    expect(stopped.said).toContain('1 frames are kept; the same command goes on');
    const path = join(out, 'frames.jsonl');
    const begun = await readFile(path, 'utf8');
    await appendFile(path, '{"frame":1,"timeMs":100,"na');
    const { said } = await start(argv);
    expect(said).toContain('Goes on behind frame 0: 1 frames are there.');
    const whole = await readFile(path, 'utf8');
    expect(whole.startsWith(begun)).toBe(true);
    const other = await shots();
    await start([...base('run', 'picky', 'fixed.onnx'), '--frames', other.frames, '--out', other.out]);
    const atOnce = await readFile(join(other.out, 'frames.jsonl'), 'utf8');
    expect(atOnce.replace(other.frames, frames)).toBe(whole);
  });

  it('filters again under other thresholds, and runs no frame again', async () => {
    const { frames, out } = await shots();
    const argv = (path: string) => ['run', '--config', path, '--vision', 'picky', '--model', at('fixed.onnx'), '--frames', frames, '--out', out]; // prettier-ignore
    await start(argv(at('machine.json')));
    const { mtimeMs } = await stat(join(out, 'frames.jsonl'));
    const text = JSON.stringify(config);
    expect(text).toContain('"default_minimum_confidence":0.7');
    const { line, said } = await start(argv(await write('lower.json', text.replace('confidence":0.7', 'confidence":0.2')))); // prettier-ignore
    expect(line).toMatchObject({
      labels: [
        { threshold: 0.2, kept: 3 },
        { threshold: 0.2, kept: 3 },
      ],
    });
    expect(said).not.toContain('real time');
    expect((await stat(join(out, 'frames.jsonl'))).mtimeMs).toBe(mtimeMs);
  });

  it('goes on from no other run, and from no damaged file', async () => {
    const { frames, out } = await shots();
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--frames', frames, '--out', out];
    await start(argv);
    await expect(start([...argv, '--every', '2'])).rejects.toThrow(
      /frames.jsonl" has results .* because every was 1.*another --out/s,
    );
    await writePngFile(join(frames, 's1.png'), patternFrame('rgba8', 20, 8));
    await expect(start(argv)).rejects.toThrow('they belong to another folder');
    await truncate(join(out, 'frames.jsonl'), 0);
    await appendFile(join(out, 'frames.jsonl'), 'mine\n');
    await expect(start(argv)).rejects.toThrow('Line 1 is not a line of a run');
  });

  it('writes chosen frames with what is kept on them as a dataset', async () => {
    const { frames, out } = await shots();
    const { line } = await start([...base('run', 'picky', 'fixed.onnx'), '--labels', at('labels.txt'), '--frames', frames, '--out', out, '--dataset', 'every:2', '--dataset-format', 'coco']); // prettier-ignore
    expect(line!['dataset']).toEqual({ folder: join(out, 'dataset'), format: 'coco', pictures: 2 });
    expect((await readdir(join(out, 'dataset', 'images'), { recursive: true })).filter((name) => name.endsWith('.png')).sort()).toHaveLength(2); // prettier-ignore
    const coco = JSON.parse(await readFile(join(out, 'dataset/annotations/instances.json'), 'utf8')) as { annotations: object[]; categories: object[] }; // prettier-ignore
    expect(coco.annotations).toHaveLength(2);
    expect(coco.categories).toMatchObject([{ name: 'cat' }]);
  });

  it('replaces neither the pictures that it reads nor a folder that no run wrote', async () => {
    const { frames, out } = await shots();
    const beside = dirname(frames);
    const argv = base('run', 'picky', 'fixed.onnx');
    const asked = (from: string, to: string) => start([...argv, '--frames', from, '--out', to, '--dataset', 'change', '--draw']); // prettier-ignore
    await rename(frames, join(beside, 'dataset'));
    await symlink(join(beside, 'dataset'), join(beside, 'link'));
    for (const from of [join(beside, 'dataset'), join(beside, 'link')])
      await expect(asked(from, beside)).rejects.toMatchObject({ code: 'source-is-output' });
    for (const to of [join(beside, 'link'), join(beside, 'dataset/out')])
      await expect(asked(join(beside, 'dataset'), to)).rejects.toMatchObject({ code: 'out-in-frames' });
    await mkdir(join(out, 'annotated'), { recursive: true });
    await writeFile(join(out, 'annotated/mine.txt'), 'mine');
    await expect(asked(join(beside, 'dataset'), out)).rejects.toThrow(
      /annotated" was written by no run.*another --out/,
    );
    expect(await readdir(join(out, 'annotated'))).toEqual(['mine.txt']);
    expect((await readdir(join(beside, 'dataset'))).length).toBe(5);
    await writeFile(join(beside, 'annotated.mp4'), '');
    const video = start([...argv, '--video', join(beside, 'annotated.mp4'), '--out', beside, '--draw']);
    await expect(video).rejects.toMatchObject({ code: 'source-is-output' });
  });

  it('writes its own dataset and annotated pictures anew', async () => {
    const { frames, out } = await shots();
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--frames', frames, '--out', out, '--draw', '--dataset', 'every:2']; // prettier-ignore
    const once = await start(argv);
    expect(await start(argv)).toMatchObject({ code: once.code, line: once.line });
  });

  it('has a part of the frames, and says where there are none', async () => {
    const { frames, out } = await shots();
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--frames', frames];
    const { line } = await start([...argv, '--out', out, '--from', '1', '--to', '2']);
    expect(line).toMatchObject({ frames: 2, failed: 0, fromMs: 1000, toMs: 2000 });
    await expect(start([...argv, '--out', `${out}-2`, '--from', '60'])).rejects.toThrow('No frame lies between');
    const empty = at('run-empty');
    await mkdir(empty, { recursive: true });
    await expect(start([...base('run', 'picky', 'fixed.onnx'), '--frames', empty, '--out', `${out}-3`])).rejects.toThrow('has no pictures to run'); // prettier-ignore
  });
});

describe.skipIf(!hasFfmpeg)(`run over a video${withoutFfmpeg}`, () => {
  it('runs every frame that is asked for, and writes an annotated video, a dataset and a report', async () => {
    const video = makeVideo(at('clip.mp4'));
    const out = at('clip-out');
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--video', video, '--out', out, '--every', '3', '--from', '0.2', '--draw', '--dataset', 'interval:0.5']; // prettier-ignore
    const { code, line } = await start(argv);
    expect(code).toBe(0);
    expect(line).toMatchObject({ frames: 3, fromMs: 300, toMs: 900, dataset: { pictures: 2 } });
    expect((await linesOf(join(out, 'frames.jsonl'))).slice(1, -1).map(({ frame }) => frame)).toEqual([3, 6, 9]);
    expect(await readVideoTraits(join(out, 'annotated.mp4'))).toMatchObject({ widthPx: 64, heightPx: 48 });
    const images = await readdir(join(out, 'dataset/images'), { recursive: true });
    expect(images.filter((name) => name.endsWith('.png')).sort()).toEqual([expect.stringContaining('clip-000003.png'), expect.stringContaining('clip-000009.png')]); // prettier-ignore
    expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('data:image/png;base64,');
    // The same again finds everything there.
    expect(await start(argv)).toMatchObject({ code: 0, line: { frames: 3 } });
  });

  it('says of a damaged video that it is one, also when everything is there', async () => {
    const video = makeVideo(at('damaged.mp4'), { output: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'] });
    const bytes = await readFile(video);
    const from = bytes.indexOf('mdat') + 4;
    await writeFile(video, bytes.fill(0, from + 2000, from + 6000));
    const argv = [...base('run', 'picky', 'fixed.onnx'), '--video', video, '--out', at('damaged-out'), '--to', '0.9'];
    for (const _ of ['run', 'again']) {
      const { code, line, said } = await start(argv);
      expect([code, Number(line!['decoderErrors']) > 0, said.includes('is damaged')]).toEqual([1, true, true]);
    }
  });
});
