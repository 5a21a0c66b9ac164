const fields = 'input:enabled:not([type=hidden]), select:enabled, textarea:enabled';
const presses = 'button:enabled, a[href], [tabindex="0"]';

/**
 * The element that gets the focus when a dialog opens: its first field, otherwise its first control, otherwise a
 * button of its footer (the primary one, otherwise the first, which changes nothing); undefined if there is only
 * the close button.
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
