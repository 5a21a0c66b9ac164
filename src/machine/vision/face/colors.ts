// The colour detector's rule and what it marks.

export { colorDefaults, type ColorRefusal, colorRule, type ColorRule } from '../color-detector/color-rule.ts';
export { boxAreaAt } from '../color-detector/find-blobs.ts';
export { hueName, machineHsv } from '../color-detector/machine-hsv.ts';
export { markPixels, type MarkPixels, wordsOfRow } from '../color-detector/mark-pixels.ts';
export { hexColor, parseHexColor } from '../color-detector/parse-hex-color.ts';
export type { PixelTest } from '../color-detector/pixel-test.ts';
