import type { Remap } from '../../../../vision/decode/tensor-names.ts';

export const outputRoles = ['location', 'category', 'score', 'probability'] as const;

/** The tensor that plays a role, '' = none is named. */
export function tensorOf(remap: Remap, role: string): string {
  return Object.entries(remap).find(([, played]) => played === role)?.[0] ?? '';
}

/** Gives a role to a tensor; '' takes the role away. A tensor plays one role, and a role is played by one tensor. */
export function withTensor(remap: Remap, role: string, tensor: string): Remap {
  const others = Object.entries(remap).filter(([name, played]) => played !== role && name !== tensor);
  return Object.fromEntries(tensor === '' ? others : [...others, [tensor, role]]);
}
