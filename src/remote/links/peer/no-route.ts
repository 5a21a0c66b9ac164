/** ICE failed: no pair of both sides' addresses works. */
export class NoRoute extends Error {
  readonly hadRelay: boolean;
  constructor(hadRelay: boolean) {
    super('no pair of addresses works');
    this.hadRelay = hadRelay;
  }
}
