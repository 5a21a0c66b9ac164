import { unfiltered, type Trying } from './confirm-cause.ts';
import { labelCause } from './label-cause.ts';
import { pairRows, rowsOf, type PairedRow, type Row } from './paired-rows.ts';
import type { ServiceCause } from './service-cause.ts';
import { thresholdCauses } from './threshold-causes.ts';
import type { TriedService } from './try-services.ts';

interface FilterAndNames {
  /** thresholds under which it would say what the machine says; [] where the labels differ */
  readonly thresholds: readonly ServiceCause[];
  /** null: the labels are the machine's */
  readonly label: ServiceCause | null;
  /** thresholds with the machine's labels */
  readonly relabelled: readonly ServiceCause[];
}

/** What the machine's rows say of labels and thresholds beside those of a service; null: it does not say these rows. */
export async function filterAndNames(trying: Trying, service: TriedService): Promise<FilterAndNames | null> {
  const [named, numbered]: [PairedRow[], PairedRow[]] = [[], []];
  let areNamed = true;
  for (const frame of trying.frames) {
    const [raw] = await trying.answers(frame, [unfiltered(service)]);
    const [rows, there] = [raw ? rowsOf(raw) : [], rowsOf(frame.there)];
    const byNumber = raw ? pairRows(rows, there, false) : null;
    if (!byNumber) return null;
    numbered.push(...byNumber);
    // Boxes of one place and score, of two labels, are told apart by their names alone.
    const byName: readonly PairedRow[] | null = areNamed ? pairRows(rows.map(nameBy(service)), there, true) : null;
    areNamed = byName !== null;
    named.push(...(byName ?? []));
  }
  if (areNamed) return { thresholds: thresholdCauses(service, named), label: null, relabelled: [] };
  const label = labelCause(service, numbered);
  if (!label) return null;
  const pairs = numbered.map(({ row, there }) => ({ row: nameBy(label.service)(row), there }));
  return { thresholds: [], label, relabelled: thresholdCauses(label.service, pairs) };
}

const nameBy =
  ({ labels }: TriedService) =>
  (row: Row): Row =>
    labels ? { ...row, label: labels[Number(row.label)] ?? '' } : row;
