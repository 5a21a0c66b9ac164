import { execFileSync } from 'node:child_process';

/** Whether tests of videos can run here: they need ffmpeg with an H.264 encoder. */
export const hasFfmpeg = ((): boolean => {
  try {
    return execFileSync('ffmpeg', ['-hide_banner', '-encoders'], { stdio: ['ignore', 'pipe', 'ignore'] }).includes(
      'libx264',
    );
  } catch {
    return false;
  }
})();

/** Why a test is skipped, for its name. */
export const withoutFfmpeg = hasFfmpeg ? '' : ' (skipped: there is no ffmpeg with libx264 here)';

/** Makes a video by ffmpeg: frames of a test picture, 64×48 px and ten a second unless told otherwise. */
export function makeVideo(
  path: string,
  { input = 'testsrc=size=64x48:rate=10:duration=1', output = ['-pix_fmt', 'yuv420p'] } = {},
): string {
  const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
  execFileSync('ffmpeg', ['-y', '-v', 'error', '-f', 'lavfi', '-i', input, ...encode, ...output, path]);
  return path;
}
