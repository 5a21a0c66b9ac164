import type { OptionSpec } from '../../../../workers/fit/client.ts';

/** "scoreThreshold" → "Score threshold" */
export function optionWords(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Iou\b/, 'IoU');
}

/** "0 to 1, usually 0.7." */
export function usualWords(spec: OptionSpec): string {
  return spec.kind === 'number' ? `${spec.least} to ${spec.most}, usually ${spec.usual}.` : `Usually ${spec.usual}.`;
}
