import { Code, ConnectError, createRouterTransport, type ConnectRouter } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { linkPretended, pretendedRoutes } from '../../../tests/live-machine-fixture.ts';
import { RobotService } from '../../gen/robot/v1/robot_pb.ts';
import { tokenFor } from '../outbox/access-tokens.ts';
import { HttpRefusal, NoAnswer } from '../outbox/read-failure.ts';
import { mayComeBack, type LinkError } from './link-error.ts';
import { linkMachine } from './link-machine.ts';

const { signal } = new AbortController();
const box = { label: 'cat', score: 0.5, xMin: -1, yMin: 2, xMax: 30, yMax: 40 };
const answer = () => ({ detections: [box], classifications: [{ label: 'tabby', score: 0.25 }] });

describe('a link to a machine', () => {
  it('tells its version, what it is made of, and how that is', async () => {
    const machine = linkPretended({});
    expect(await machine.version(signal)).toEqual({ platform: 'rdk', version: 'v1.2.3', apiVersion: 'v0.1' });
    expect(await machine.resources(signal)).toContainEqual({ api: 'rdk:component:camera', name: 'cam' });
    expect(await machine.health(signal)).toMatchObject({
      isRunning: true,
      revision: 'r1',
      resources: [{ name: 'cam', isReady: true, error: '' }, {}, {}],
    });
  });

  it('tells which part of an account it is, if it is one, and does not take a lost machine for one without', async () => {
    expect(await linkPretended({ partId: 'p1' }).partId(signal)).toBe('p1');
    expect(await linkPretended({}).partId(signal)).toBeNull();
    const refuse = (code: Code) => (router: ConnectRouter) =>
      router.service(RobotService, {
        getCloudMetadata: () => {
          throw new ConnectError('no', code);
        },
      });
    const linked = (code: Code) => linkPretended({}, { transport: createRouterTransport(refuse(code)) });
    expect(await linked(Code.Unimplemented).partId(signal)).toBeNull(); // an older one
    await expect(linked(Code.Unavailable).partId(signal)).rejects.toMatchObject({ code: 'no-answer' });
  });

  it('hands out the bytes of an image with the time of the machine', async () => {
    const machine = linkPretended({ image: () => Uint8Array.of(9, 8) });
    expect(await machine.images('cam', signal)).toEqual([
      { sourceName: 'color', mediaType: 'image/png', bytes: Uint8Array.of(9, 8), capturedAtMs: 12_500 },
    ]);
  });

  it.each([
    ['a detector', true, false],
    ['a classifier', false, true],
    ['both', true, true],
  ])('asks %s for what it can, and for nothing else', async (_, detects, classifies) => {
    const machine = linkPretended({ detects, classifies, answer });
    const abilities = await machine.visionAbilities('v', signal);
    expect(abilities).toEqual({ detects, classifies, defaultCamera: 'cam' });
    const expected = {
      detections: detects ? [box] : null,
      classifications: classifies ? answer().classifications : null,
    };
    const request = { visionName: 'v', cameraName: '', abilities };
    const capture = await machine.captureAll(request, signal);
    expect(capture).toMatchObject(expected);
    expect(await machine.answerTo(capture.image, request, signal)).toEqual(expected);
  });

  it('proves itself with its key, once for all calls', async () => {
    const transport = createRouterTransport(pretendedRoutes({ key: 'k-1' }));
    const link = (key: string) =>
      linkMachine({
        address: 'robot',
        transport,
        authorize: tokenFor(() => transport, 'id', key),
        redact: (text) => text.replaceAll(key, '[key]'),
      });
    expect(await link('k-1').version(signal)).toMatchObject({ platform: 'rdk' });
    await expect(link('k-2').version(signal)).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(linkPretended({ key: 'k-1' }).version(signal)).rejects.toMatchObject({ code: 'wrong-key' });
  });

  it('names what is not there', async () => {
    const machine = linkPretended({});
    await expect(machine.images('nope', signal)).rejects.toMatchObject({ code: 'no-such-resource' });
    await expect(machine.visionAbilities('nope', signal)).rejects.toMatchObject({ code: 'no-such-resource' });
  });

  it.each([
    ['no answer', new NoAnswer('gone'), 'no-answer', true],
    ['no answer in time', new ConnectError('late', Code.DeadlineExceeded), 'no-answer', true],
    ['something else at the address', new HttpRefusal(404, null), 'not-a-machine', false],
    ['a proxy in trouble', new HttpRefusal(502, null), 'busy', true],
    ['a door that is locked', new HttpRefusal(401, null), 'wrong-key', false],
    ['a key that may not', new ConnectError('no', Code.PermissionDenied), 'not-allowed', false],
    ['an old server', new ConnectError('unknown method', Code.Unimplemented), 'too-old', false],
    ['too much at once', new ConnectError('slower', Code.ResourceExhausted), 'busy', true],
    ['a break-off', new ConnectError('gone', Code.Canceled), 'cancelled', false],
    ['a camera that fails', new ConnectError('lens cap on; key s3cret', Code.Unknown), 'failed', false],
  ])('says %s in words, with a cure', async (_, thrown, code, comesBack) => {
    const transport = createRouterTransport(({ service }) =>
      service(RobotService, {
        getVersion() {
          throw new ConnectError('never', Code.Internal);
        },
      }),
    );
    const machine = linkMachine({
      address: 'robot',
      transport,
      authorize: () => Promise.reject(thrown),
      redact: (text) => text.replaceAll('s3cret', '[key]'),
    });
    const error = (await machine.version(signal).catch((failure: unknown) => failure)) as LinkError;
    expect(error).toMatchObject({ name: 'LinkError', code, cure: expect.stringMatching(/\.$/) });
    expect(error.message).not.toContain('s3cret');
    expect(mayComeBack(error)).toBe(comesBack);
  });

  it('takes an empty answer for a loss where a machine has answered before', async () => {
    let isEnding = false;
    const machine = linkMachine({
      address: 'robot',
      transport: createRouterTransport(pretendedRoutes({})),
      redact: String,
      authorize: (_, make) => (isEnding ? Promise.reject(new HttpRefusal(200, null)) : make('')),
    });
    await machine.version(signal);
    isEnding = true;
    await expect(machine.version(signal)).rejects.toMatchObject({
      code: 'no-answer',
      message: 'robot answers as a machine no more.',
    });
  });
});
