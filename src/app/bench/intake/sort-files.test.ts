import { describe, expect, it } from 'vitest';
import { sortFiles } from './sort-files.ts';

/** What becomes of files with these paths. */
function sorted(...paths: readonly string[]) {
  const { stills, videos, model, configuration, labels, benchFile, leftOut } = sortFiles(
    paths.map((path) => ({ file: new File([path], path.slice(path.lastIndexOf('/') + 1)), path })),
  );
  return {
    ...(stills.length > 0 && { stills: stills.map(({ name }) => name) }),
    ...(videos.length > 0 && { videos: videos.map(({ name }) => name) }),
    ...(model && { model: [model.file, ...model.beside].map(({ name }) => name) }),
    ...(model && model.others.length > 0 && { others: model.others.map(({ name }) => name) }),
    ...(configuration && { configuration: configuration.name }),
    ...(labels && { labels: labels.name }),
    ...(benchFile && { benchFile: benchFile.name }),
    ...(leftOut.length > 0 && { leftOut: leftOut.map(({ names, why }) => [names.join(' '), why.split(' ')[0]]) }),
  };
}

describe('sortFiles', () => {
  it('sorts by kind, and by name as people read it', () => {
    expect(sorted('frame10.png', 'b.mp4', 'frame2.JPG', 'net.onnx', 'labels.txt', 'machine.json', 'b.zip')).toEqual({
      stills: ['frame2.JPG', 'frame10.png'],
      videos: ['b.mp4'],
      model: ['net.onnx'],
      labels: 'labels.txt',
      configuration: 'machine.json',
      benchFile: 'b.zip',
    });
  });

  it('goes by the type where the name says nothing', () => {
    const of = (name: string, type: string) => ({ file: new File([name], name, { type }), path: name });
    const { stills, videos } = sortFiles([of('pasted', 'image/png'), of('clip', 'video/mp4')]);
    expect([stills[0]!.name, videos[0]!.name]).toEqual(['pasted', 'clip']);
  });

  it('keeps a model with its weights, and models of other kinds too: what they are is said elsewhere', () => {
    expect(sorted('yolo.onnx', 'yolo.onnx.data')).toEqual({ model: ['yolo.onnx', 'yolo.onnx.data'] });
    expect(sorted('best.pt')).toEqual({ model: ['best.pt'] });
    expect(sorted('best.pt', 'labels.txt')).toEqual({ model: ['best.pt'], labels: 'labels.txt' });
  });

  it('takes what is called as a picture for its annotation, wherever it lies', () => {
    expect(sorted('images/a.png', 'images/b.png', 'labels/a.txt', 'labels/b.txt', 'b.xml', 'classes.txt')).toEqual({
      stills: ['images/a.png', 'images/b.png'],
      labels: 'classes.txt',
      leftOut: [['b.xml labels/a.txt labels/b.txt', 'named']],
    });
  });

  it.each([
    ['a second model', ['a.onnx', 'b.tflite'], { model: ['a.onnx'], others: ['b.tflite'] }],
    ['a second configuration', ['a.json', 'b.json'], { configuration: 'a.json', leftOut: [['b.json', 'only']] }],
    ['a second label list', ['a.txt', 'b.names'], { labels: 'a.txt', leftOut: [['b.names', 'only']] }],
    ['a second bench', ['a.zip', 'b.zip'], { benchFile: 'a.zip', leftOut: [['b.zip', 'only']] }],
    ['what nobody knows', ['a.doc', '.DS_Store'], { leftOut: [['.DS_Store a.doc', 'the']] }],
    ['weights beside pictures', ['a.png', 'b.bin'], { stills: ['a.png'], leftOut: [['b.bin', 'the']] }],
  ])('leaves %s out', (_, paths, expected) => {
    expect(sorted(...paths)).toEqual(expected);
  });

  it('leaves empty files out, whatever their names say', () => {
    const files = ['a.png', 'b.png', 'net.onnx'].map((path) => ({
      file: new File(path === 'a.png' ? [path] : [], path),
      path,
    }));
    const { stills, model, leftOut } = sortFiles(files);
    expect([stills.map(({ name }) => name), model]).toEqual([['a.png'], null]);
    expect(leftOut).toEqual([{ names: ['b.png', 'net.onnx'], why: 'an empty file: copy or download it again' }]);
  });
});
