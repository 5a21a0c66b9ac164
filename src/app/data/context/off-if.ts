/** The attributes of a button whose call would be refused: it is off, and says why. None where the call would be answered. */
export function offIf(refusal: string): {
  readonly disabled?: true;
  readonly title?: string;
  readonly 'aria-description'?: string;
} {
  return refusal === '' ? {} : { disabled: true, title: refusal, 'aria-description': refusal };
}
