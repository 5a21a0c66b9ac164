import type { Remap } from '../../../../machine/vision/face/results.ts';

export const outputRoles = ['location', 'category', 'score', 'probability'] as const;

/** The tensor with a role; '': none is named. */
export function tensorOf(remap: Remap, role: string): string {
  return Object.entries(remap).find(([, played]) => played === role)?.[0] ?? '';
}

/** Assigns a role to a tensor; '' removes it. Each tensor has at most one role, and each role one tensor. */
export function withTensor(remap: Remap, role: string, tensor: string): Remap {
  const others = Object.entries(remap).filter(([name, played]) => played !== role && name !== tensor);
  return Object.fromEntries(tensor === '' ? others : [...others, [tensor, role]]);
}
