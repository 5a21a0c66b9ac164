import { describe, expect, it } from 'vitest';
import { parityRecord } from './parity-record.ts';

const least = ['--machine', 'robot', '--vision', 'v'];

describe('the arguments of parity', () => {
  it('are an address and a service, and the rest has a default', () => {
    expect(parityRecord.read(least)).toEqual({
      name: 'parity',
      machineUrls: ['http://robot:8080'],
      visionName: 'v',
      cameraName: '',
      frames: 100,
      configPath: null,
      modelPaths: { unnamed: null, byName: {} },
      labelPaths: { unnamed: null, byName: {} },
      runtime: null,
      key: null,
      reportPath: null,
      strictRounding: false,
    });
  });

  it('may say all of it', () => {
    const more = ['--frames=3', '--key-id=i', '--key-file=k', '--report=r.html', '--camera=c', '--config=m.json'];
    expect(parityRecord.read([...least, ...more, '--model=a.onnx', '--labels=v=l.txt'])).toMatchObject({
      frames: 3,
      key: { id: 'i', filePath: 'k' },
      reportPath: 'r.html',
      cameraName: 'c',
      configPath: 'm.json',
      modelPaths: { unnamed: 'a.onnx' },
      labelPaths: { byName: { v: 'l.txt' } },
    });
  });

  it('may name a machine that is somewhere else, tried in this network first', () => {
    expect(parityRecord.read(['--machine', 'r-main.a1.viam.cloud', '--vision', 'v']).machineUrls).toEqual([
      'https://r-main.a1.local.viam.cloud:8080',
      'webrtc://r-main.a1.viam.cloud/?via=https%3A%2F%2Fapp.viam.com',
    ]);
  });

  it('may name no camera, which is the service’s own', () => {
    expect(parityRecord.read([...least, '--camera=']).cameraName).toBe('');
  });

  it('may fail on rounding', () => {
    expect(parityRecord.read([...least, '--strict-rounding'])).toMatchObject({ strictRounding: true });
  });

  it.each([
    [['--vision', 'v'], /wants --machine/],
    [['--machine', 'robot'], /wants --vision/],
    [['--machine', 'ftp://x', '--vision', 'v'], /not the address/],
    [['--machine', 'webrtc://r/', '--vision', 'v'], /webrtc:\/\/HOST\/\?via=URL/],
    [[...least, 'frame.jpg'], /options only, got "frame.jpg"/],
    [[...least, '--frames', '0'], /at least 1/],
    [[...least, '--frames', 'many'], /whole number/],
    [[...least, '--key-id', 'i'], /two options/],
    [[...least, '--key-file', 'k'], /two options/],
  ])('%j are refused', (args, message) => {
    expect(() => parityRecord.read(args)).toThrow(message);
  });
});
