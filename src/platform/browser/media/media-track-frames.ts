import { SourceError } from '../../ports/frame-source.ts';

// Chromium's (W3C MediaStreamTrack Insertable Media Processing using Streams); not in lib.dom.
declare const MediaStreamTrackProcessor:
  | (new (init: { track: MediaStreamTrack; maxBufferSize?: number }) => {
      readonly readable: ReadableStream<VideoFrame>;
    })
  | undefined;

/** The frames of a camera's track; who reads them closes them. A slow reader gets the newest, older ones are dropped; a page that is busy for a moment loses none. */
export function trackFrames(track: MediaStreamTrack): ReadableStream<VideoFrame> {
  if (typeof MediaStreamTrackProcessor === 'function') {
    return new MediaStreamTrackProcessor({ track, maxBufferSize: 3 }).readable;
  }
  if (typeof VideoFrame === 'function' && 'requestVideoFrameCallback' in HTMLVideoElement.prototype) {
    return framesByElement(track);
  }
  track.stop();
  throw new SourceError(
    'unsupported',
    'This browser hands no camera frames to pages.',
    'Update it, or try a current Chrome, Edge, Firefox or Safari.',
  );
}

/** For browsers without a track processor: an unseen video element plays the track, and each frame is taken as it is shown. */
function framesByElement(track: MediaStreamTrack): ReadableStream<VideoFrame> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  let callback = 0;
  const leave = () => {
    video.cancelVideoFrameCallback(callback);
    video.srcObject = null;
  };
  return new ReadableStream<VideoFrame>(
    {
      async start(controller) {
        track.addEventListener('ended', () => {
          leave();
          controller.close();
        });
        await video.play();
      },
      pull: (controller) =>
        new Promise((resolve) => {
          callback = video.requestVideoFrameCallback((_, { mediaTime }) => {
            controller.enqueue(new VideoFrame(video, { timestamp: Math.round(mediaTime * 1e6) }));
            resolve();
          });
        }),
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
