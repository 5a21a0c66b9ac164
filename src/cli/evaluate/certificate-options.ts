import type { Claim } from '../../evidence/certificate/certificate.ts';
import { flag, option, together, usual } from '../record/field.ts';
import { kind, number } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

/** What `evaluate` is asked to certify. */
export interface CertificateOptions {
  /** where the certificate goes */
  readonly path: string;
  readonly claims: readonly Claim[];
  /** confidence of each claim by itself */
  readonly confidence: number;
  readonly validDays: number | null;
  /** somebody says that the thresholds were set without these images */
  readonly isSetElsewhere: boolean;
  /** key file of `sightglass signing-key`; null: no signature */
  readonly keyPath: string | null;
}

const between = (least: number) => number(`a number above ${least} and below 1`, (value) => value > least && value < 1);

const claim = kind<Claim>('recall=NUMBER, precision=NUMBER, or one of a label as recall:person=0.95', (value) => {
  const [, figure, label = null, least = ''] = /^\s*(recall|precision)(?::(.+))?=([^=]*)$/.exec(value) ?? [];
  if (figure !== 'recall' && figure !== 'precision') return undefined;
  return { figure, label, atLeast: between(0).read(least, 'claim') };
});

const fields = {
  claims: option('--claim CLAIMS', 'what is claimed, parted by commas: recall:person=0.95,precision=0.9', {
    read: (value: string, name: string) => value.split(',').map((one) => claim.read(one, name)),
  }),
  confidence: usual('--confidence SHARE', 'of each claim by itself', between(0.5), 0.9),
  validDays: option(
    '--valid-days N',
    'the certificate ends after them',
    kind('a number of days from 1 on', (value) => (/^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined)),
  ),
  isSetElsewhere: flag(
    '--thresholds-set-elsewhere',
    'you say that the thresholds were set without these pictures; precision is certified only so',
  ),
  keyPath: option('--sign FILE', 'sign it with a key that signing-key makes'),
};
const names = together(fields).options.map(({ name }) => name);

/** null: nothing is certified. */
export const certificateOptions = together(
  {
    path: option(
      '--certificate FILE',
      'certify what is claimed, if the evidence carries it, with hashes of the model, the configuration, the labels and the truth; else no file is written, and stderr says why',
    ),
    ...fields,
  },
  ({ path, claims, ...rest }, { has }): CertificateOptions | null => {
    if (path === null) {
      const alone = names.find((name) => has(name));
      if (alone === undefined) return null;
      throw new UsageError(`--${alone} goes with --certificate FILE, which the claims are written to.`);
    }
    if (has('detections'))
      throw new UsageError(
        '--certificate names the model and the configuration that it is of, which --detections does not: give --config, --vision and --model.',
      );
    if (claims === null) throw new UsageError('evaluate --certificate wants --claim.');
    return { path, claims, ...rest };
  },
);
