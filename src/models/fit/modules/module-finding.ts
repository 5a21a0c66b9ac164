/**
 * refuses: the machine's module does not start with it; fails-at-first-frame: it starts, and no frame gets an answer;
 * warns: it runs, perhaps not as meant; cannot-tell: only the machine knows.
 */
export type ModuleSeverity = 'refuses' | 'fails-at-first-frame' | 'warns' | 'cannot-tell';

/** One thing that a machine's model module makes of a model file, or of its attributes. Survives structured cloning. */
export interface ModuleFinding {
  readonly code: string;
  readonly severity: ModuleSeverity;
  /** what happens; the machine's own words stand in quotes where they are known */
  readonly message: string;
  /** the way to mend it */
  readonly cure: string;
  /** what a machine-ready export of the model does about it; missing where an export mends nothing */
  readonly repair?: string;
  /** the attribute of the model service that it is about */
  readonly attribute?: string;
}

export type ModuleVerdict = 'loads' | Exclude<ModuleSeverity, 'warns'>;

const gravest = ['refuses', 'fails-at-first-frame', 'cannot-tell'] as const;

/**
 * Sums findings up: the gravest of them says what becomes of the model on the machine. Warnings alone let it load.
 * @param findings in any order
 * @returns the gravest severity; 'loads' where only warnings or nothing was found
 * @example
 * verdictOf([]); // => 'loads'
 * verdictOf([{ severity: 'fails-at-first-frame' }, { severity: 'refuses' }]); // => 'refuses'
 */
export function verdictOf(findings: readonly ModuleFinding[]): ModuleVerdict {
  return gravest.find((severity) => findings.some((finding) => finding.severity === severity)) ?? 'loads';
}

/**
 * Picks the findings that keep a model from running on the machine.
 * @param findings in any order
 * @returns those that refuse the model, or fail at the first frame
 * @example
 * reasonsAgainst([{ severity: 'warns' }, { severity: 'refuses' }]); // => [{ severity: 'refuses' }]
 */
export function reasonsAgainst(findings: readonly ModuleFinding[]): readonly ModuleFinding[] {
  return findings.filter(({ severity }) => severity === 'refuses' || severity === 'fails-at-first-frame');
}
