/** Both sides tried all their addresses in vain. */
export class NoWay extends Error {
  readonly hadRelay: boolean;
  constructor(hadRelay: boolean) {
    super('no pair of addresses works');
    this.hadRelay = hadRelay;
  }
}
