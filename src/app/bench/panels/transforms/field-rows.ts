import type { StepAttribute } from '../../../../machine/config/face/cameras.ts';

/** The fields of a step's form by row: two numbers that follow each other share one. */
export function fieldRows(attributes: readonly StepAttribute[]): readonly (readonly StepAttribute[])[] {
  const rows: StepAttribute[][] = [];
  for (const attribute of attributes) {
    const last = rows.at(-1);
    if (last?.length === 1 && isPlainNumber(last[0]!) && isPlainNumber(attribute)) last.push(attribute);
    else rows.push([attribute]);
  }
  return rows;
}

function isPlainNumber({ type, choices }: StepAttribute): boolean {
  return (type === 'int' || type === 'uint' || type === 'float64') && !choices;
}
