/**
 * @param timeMs from the beginning, in ms
 * @returns the time as players write it, with milliseconds: "0:07.040", "1:02:03.000"
 */
export function timeText(timeMs: number): string {
  const wholeMs = Math.round(timeMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(wholeMs / 3_600_000),
    Math.floor(wholeMs / 60_000) % 60,
    Math.floor(wholeMs / 1000) % 60,
  ];
  const fraction = String(wholeMs % 1000).padStart(3, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}.${fraction}`;
}
