const fields = 'input:enabled:not([type=hidden]), select:enabled, textarea:enabled';
const presses = 'button:enabled, a[href], [tabindex="0"]';

/**
 * Where the keyboard begins in a dialog: its first field, else its first control, else what its footer does
 * (a primary action, else the first, which keeps things as they are); undefined where there is nothing but to close it.
 */
export function firstStop(dialog: HTMLElement): HTMLElement | undefined {
  const places = [
    `.content :is(${fields})`,
    `.content :is(${presses})`,
    'footer button.primary:enabled',
    'footer button',
  ];
  for (const place of places) {
    const found = dialog.querySelector<HTMLElement>(place);
    if (found) return found;
  }
  return undefined;
}
