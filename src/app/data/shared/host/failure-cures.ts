import type { UploadFailureCode } from '../../../../remote/outbox/upload-error.ts';

/** What a person can do about a failed upload; '' if waiting is all. */
export function cureOf(code: UploadFailureCode): string {
  switch (code) {
    case 'unavailable':
      return `Check the address, that the server runs, and that it accepts calls from pages of ${location.origin}.`;
    case 'rate-limited':
      return 'The target accepts only so many calls for now.';
    case 'server-full':
      return 'Make room at the target.';
    case 'unauthenticated':
      return 'Check that the key id and the key were made together, and that the key was not removed.';
    case 'permission-denied':
      return 'Ask for a key that may upload to this part.';
    case 'invalid':
      return 'Check the address, the part id and the dataset. Add a server with other ones as a new one.';
    case 'too-large':
    case 'not-stored':
      return '';
    case 'capture-missing':
      return 'It can no longer be sent: remove it from the list.';
    case 'cancelled':
      return 'Try again to continue where it stopped.';
    case 'unexpected':
      return 'If it keeps failing, export it and ask whoever runs the server.';
  }
}
