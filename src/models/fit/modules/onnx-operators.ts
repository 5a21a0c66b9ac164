import type { OperatorUse } from '../../onnx/face/graphs.ts';
import { operatorTable } from './onnx-operator-table.ts';

/** The operator sets, from … to, of which the machine's ONNX Runtime loads an operator; undefined where it has none. */
export function loadableOpsets({ domain, name }: OperatorUse): readonly (readonly [number, number])[] | undefined {
  const spans = Object.entries(operatorTable[domain] ?? {}).filter(([, names]) => names.split(' ').includes(name));
  return spans.length === 0 ? undefined : spans.map(([span]) => span.split('-').map(Number) as [number, number]);
}
