/** A work of others that Sightglass carries. */
export interface CarriedWork {
  readonly name: string;
  /** '' where it has none */
  readonly version: string;
  /** SPDX expression */
  readonly licence: string;
  /** the licence in full */
  readonly text: string;
}

/** What the build has found, by name. @throws in words, where it cannot be had */
export async function fetchCarriedWorks(): Promise<readonly CarriedWork[]> {
  const answer = await fetch('builtin/licences.json').catch(() => null);
  if (answer?.ok !== true) {
    const why = answer === null ? 'there is no connection' : `the answer was ${answer.status}`;
    throw new Error(`The licences cannot be loaded: ${why}. They are in LICENCES.txt, too, beside the app.`);
  }
  return (await answer.json()) as CarriedWork[];
}
