import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../tests/parse-command.ts';
import { UsageError } from '../record/usage-error.ts';

const detect = ['detect', '--config', 'm.json', '--vision', 'v', '--model', 'a.onnx'];

describe('parseCommand', () => {
  it('is strict unless told otherwise, and not both', () => {
    const transform = ['transform', '--config', 'm.json', '--camera', 'c', '--out', 'o', 'a.png'];
    expect(parseCommand([...transform, '--strict'])).toMatchObject({ strict: true });
    expect(parseCommand([...transform, '--no-strict'])).toMatchObject({ strict: false });
    expect(() => parseCommand([...transform, '--strict', '--no-strict'])).toThrow(/both --strict and --no-strict/);
  });

  it.each(['webcam', 'module'])('takes the machine’s camera for a %s', (source) => {
    const transform = ['transform', '--config', 'm.json', '--camera', 'c', '--out', 'o'];
    for (const command of [detect, transform]) {
      expect(parseCommand([...command, '--source', source, 'a.png'])).toMatchObject({ source });
    }
    expect(() => parseCommand([...detect, '--source', 'remote', 'a.png'])).toThrow(/--source wants webcam or module/);
  });

  it('reads detect with every option', () => {
    expect(parseCommand([...detect, '--camera', 'c', '--labels', 'l.txt', '--draw', 'out', 'a.png', 'b.png'])).toEqual({
      name: 'detect',
      strict: true,
      configPath: 'm.json',
      visionName: 'v',
      modelPaths: { unnamed: 'a.onnx', byName: {} },
      labelPaths: { unnamed: 'l.txt', byName: {} },
      cameraName: 'c',
      source: null,
      runtime: null,
      drawDir: 'out',
      framePaths: ['a.png', 'b.png'],
    });
  });

  it.each([
    ['--top=3', 3],
    ['--top=0', 0],
    ['--top=-1', -1],
  ])('reads classify %s', (option, top) => {
    expect(parseCommand(['classify', ...detect.slice(1), option, 'a.png'])).toMatchObject({ name: 'classify', top });
  });

  it('keeps models by vision service', () => {
    const command = parseCommand([...detect, '--model', 'other=b=c.onnx', '--model', 'third=/x/y.onnx', 'a.png']);
    expect(command).toMatchObject({
      modelPaths: { unnamed: 'a.onnx', byName: { other: 'b=c.onnx', third: '/x/y.onnx' } },
    });
  });

  it('takes a path with a "=" behind a folder as a path', () => {
    const command = parseCommand(['detect', '--config', 'm', '--vision', 'v', '--model', './a=b.onnx', 'f.png']);
    expect(command).toMatchObject({ modelPaths: { unnamed: './a=b.onnx', byName: {} } });
  });

  it('tells an empty --camera (the service’s own) from none', () => {
    expect(parseCommand([...detect, '--camera=', 'a.png'])).toMatchObject({ cameraName: '' });
    expect(parseCommand([...detect, 'a.png'])).toMatchObject({ cameraName: null });
  });

  it.each([
    ['no command', [], /No command/],
    ['unknown command', ['train'], /Unknown command "train"/],
    ['unknown option', [...detect, '--nope', 'a.png'], /--nope/],
    ['no frames', detect, /at least one FRAME/],
    ['no config', ['detect', '--vision', 'v', '--model', 'm', 'a.png'], /--config/],
    ['two configs', [...detect, '--config', 'n.json', 'a.png'], /--config was given 2 times/],
    ['two unnamed models', [...detect, '--model', 'b.onnx', 'a.png'], /twice without a name/],
    ['one service twice', [...detect, '--model', 'x=b', '--model', 'x=c', 'a.png'], /twice for "x"/],
    ['top that is not a number', ['classify', ...detect.slice(1), '--top=many', 'a.png'], /whole number, got "many"/],
    ['detect with --top', [...detect, '--top=1', 'a.png'], /--top/],
    [
      'transform without names',
      ['transform', '--config', 'm', '--camera', 'c', '--model', 'm.onnx', '--out', 'o', 'f'],
      /VISION=FILE/,
    ],
    ['transform without --out', ['transform', '--config', 'm', '--camera', 'c', 'f'], /--out/],
    ['lint of nothing', ['lint'], /one machine configuration, got 0/],
    ['lint of two', ['lint', 'a', 'b'], /got 2/],
  ])('refuses %s', (_, argv, message) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
    expect(() => parseCommand(argv)).toThrow(message);
  });
});
