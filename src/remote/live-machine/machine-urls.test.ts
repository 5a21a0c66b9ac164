import { describe, expect, it } from 'vitest';
import { peerUrl, readPeerUrl } from './machine-address.ts';
import { machineUrls } from './machine-urls.ts';

const page = 'https://app.example/';
const host = 'robot-main.abc123.viam.cloud';
const byWebRtc = peerUrl({ host, via: 'https://app.viam.com' });

describe('the ways to a machine', () => {
  it.each([host, ` https://${host}/ `])(
    'whose name is %s lead through its own network first, then by WebRTC',
    (typed) => {
      expect(machineUrls(typed, page)).toEqual({ urls: ['https://robot-main.abc123.local.viam.cloud:8080', byWebRtc] });
    },
  );

  it.each([
    ['robot.local', 'http://localhost/', 'http://robot.local:8080'],
    ['https://robot-main.abc123.local.viam.cloud:8080', page, 'https://robot-main.abc123.local.viam.cloud:8080'],
    [
      'webrtc://r.abc.example/?via=https%3A%2F%2Faccount.example',
      page,
      'webrtc://r.abc.example/?via=https%3A%2F%2Faccount.example',
    ],
    [
      'webrtc://localhost:8099?via=http://localhost:8099',
      page,
      'webrtc://localhost:8099/?via=http%3A%2F%2Flocalhost%3A8099',
    ],
  ])('of %s on %s is one', (typed, pageUrl, url) => {
    expect(machineUrls(typed, pageUrl)).toEqual({ urls: [url] });
  });

  it.each([
    ['http://robot.local:8080', /plain http/],
    ['webrtc://robot/?via=http://account.example', /plain http/],
    ['webrtc://robot', /not the address/],
    ['webrtc://', /not the address/],
    ['', /No address/],
  ])('of “%s” are none, in words', (typed, message) => {
    expect(machineUrls(typed, page)).toMatchObject({
      message: expect.stringMatching(message),
      cure: expect.stringMatching(/./),
    });
  });
});

it('the address of a machine by WebRTC names its account service', () => {
  expect(readPeerUrl(byWebRtc)).toEqual({ host, via: 'https://app.viam.com' });
  expect(readPeerUrl('http://robot:8080')).toBeNull();
});
