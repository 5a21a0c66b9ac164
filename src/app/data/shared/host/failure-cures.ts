import type { UploadFailureCode } from '../../../../outbox/upload-error.ts';

/** What a person can do about a failed upload; '' if waiting is all. */
export function cureOf(code: UploadFailureCode): string {
  switch (code) {
    case 'unavailable':
      return `Check the address, whether the server runs, and whether it lets pages of ${location.origin} call it.`;
    case 'rate-limited':
      return 'The target takes only so many calls for now.';
    case 'server-full':
      return 'Make room at the target.';
    case 'unauthenticated':
      return 'Check that the key id and the key were made together, and that the key was not removed.';
    case 'permission-denied':
      return 'Ask for a key that may upload to this part.';
    case 'invalid':
      return 'Check the address, the part id and the dataset. A server with other ones is added anew.';
    case 'too-large':
    case 'not-stored':
      return '';
    case 'capture-missing':
      return 'Nothing of it can be sent any more: take it off the list.';
    case 'cancelled':
      return 'Try it again to go on where it was.';
    case 'unexpected':
      return 'Should it stay so, export it, and ask whoever runs the server.';
  }
}
