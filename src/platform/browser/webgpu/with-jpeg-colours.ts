import jpegColours from './jpeg-colours.wgsl?raw';

/** A shader that calls `to_rgb`, with it: WGSL has no imports. */
export const withJpegColours = (shader: string): string => `${jpegColours}\n${shader}`;
