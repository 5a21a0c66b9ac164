import { rotateAngleKey } from './rotate-angle-key.ts';
import type { Rule } from './rule.ts';

/** Every rule, one a file. A new rule is its file, its test and a line here. */
export const rules: readonly Rule[] = [rotateAngleKey];
