/**
 * Why a machine did not do what it was asked.
 * - `no-answer`: out of reach, or it does not let pages call it. `not-a-machine`: something else answers there.
 * - `offline`: its account service cannot reach it. `no-route`: it answered, but no WebRTC connection to it works.
 * - `wrong-key`: it wants a key, or does not take this one. `not-allowed`: the key may not.
 * - `no-such-resource`: no camera or service of that name. `too-old`: its server lacks the operation.
 * - `busy`: later. `failed`: the resource itself failed, in its own words. `cancelled`: by the person.
 */
export type LinkErrorCode =
  | 'no-answer'
  | 'not-a-machine'
  | 'offline'
  | 'no-route'
  | 'wrong-key'
  | 'not-allowed'
  | 'no-such-resource'
  | 'too-old'
  | 'busy'
  | 'failed'
  | 'cancelled';

/** Says what failed and what to try, in words for the person who asked. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
  readonly code: LinkErrorCode;
  readonly cure: string;
  constructor(code: LinkErrorCode, message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.cure = cure;
  }
}

/** A failure that asking again may mend: the link is lost, not refused. */
export function mayComeBack({ code }: LinkError): boolean {
  return code === 'no-answer' || code === 'busy' || code === 'offline' || code === 'no-route';
}

/** A failure that a hand at the machine mends: its camera is plugged in again, its service built anew. */
export function mayBeMended({ code }: LinkError): boolean {
  return code === 'failed' || code === 'no-such-resource';
}
