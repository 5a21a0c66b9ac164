import type { DatasetBox } from './dataset-item.ts';
import { shown, type DatasetReport } from './dataset-report.ts';

/** A box as read from a file, not validated yet. Its corners are fractions of the picture's sides. */
export interface FoundBox {
  readonly label: unknown;
  readonly corners: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  /** the four values as written in the file, for the error message if one is not a number */
  readonly written?: readonly unknown[];
  readonly confidence?: unknown;
  readonly id?: unknown;
}

const cornerNames = ['x min', 'y min', 'x max', 'y max'] as const;
/** Tolerance for rounding errors in the file; less than a thousandth of a pixel for a 1000-pixel side. */
const rounding = 1e-6;

/**
 * Validates a box by the data service's rules. An invalid box is reported as an error. Three defects are repaired with a
 * note: corners in the wrong order are swapped, a box beyond the edge is clipped, an invalid confidence is removed.
 */
export function acceptBox(
  found: FoundBox,
  report: DatasetReport,
  file: string,
  line: number | null,
): DatasetBox | null {
  const refuse = (message: string): null => {
    report.error(file, line, message);
    return null;
  };
  const label = found.label;
  if (typeof label !== 'string' || label.trim() === '') return refuse(`The box has no label, but ${shown(label)}.`);
  const bad = found.corners.findIndex((corner) => !Number.isFinite(corner));
  if (bad >= 0)
    return refuse(
      `The box “${label}” has no number as ${cornerNames[bad]}, but ${shown((found.written ?? found.corners)[bad])}.`,
    );

  const [xa, ya, xb, yb] = found.corners;
  const corners = [Math.min(xa, xb), Math.min(ya, yb), Math.max(xa, xb), Math.max(ya, yb)] as const;
  if (xa > xb + rounding || ya > yb + rounding) {
    report.note(
      file,
      line,
      `The box “${label}” had its corners in the wrong order (${listed(found.corners)}); swapped.`,
    );
  }
  if (corners[0] > 1 || corners[1] > 1 || corners[2] < 0 || corners[3] < 0) {
    return refuse(`The box “${label}” lies outside the picture (${listed(corners)}, of 0 to 1).`);
  }
  if (corners.some((corner) => corner < -rounding || corner > 1 + rounding)) {
    report.note(file, line, `The box “${label}” reached over the edge (${listed(corners)}, of 0 to 1); cut there.`);
  }
  const [xMin, yMin, xMax, yMax] = corners.map((corner) => Math.min(1, Math.max(0, corner))) as [
    number,
    number,
    number,
    number,
  ];
  return {
    label,
    xMinNormalized: xMin,
    yMinNormalized: yMin,
    xMaxNormalized: xMax,
    yMaxNormalized: yMax,
    ...acceptConfidence(found.confidence, `box “${label}”`, report, file, line),
    ...(typeof found.id === 'string' && found.id !== '' ? { id: found.id } : {}),
  };
}

/** The confidence as an object to spread: with the field if it is within 0..1, otherwise empty. An invalid value is noted. */
export function acceptConfidence(
  value: unknown,
  of: string,
  report: DatasetReport,
  file: string,
  line: number | null,
): { confidence?: number } {
  if (value === undefined || value === null) return {};
  if (typeof value === 'number' && value >= 0 && value <= 1) return { confidence: value };
  report.note(file, line, `The ${of} has a confidence of ${shown(value)}, not of 0 to 1; left out.`);
  return {};
}

function listed(corners: readonly number[]): string {
  return corners.map((corner) => String(Number(corner.toFixed(4)))).join(', ');
}
