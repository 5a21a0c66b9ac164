/** Which of the model's tensors plays a role, and the rule that decided, in words. */
export interface TensorChoice {
  readonly role: 'location' | 'category' | 'score' | 'probability';
  readonly tensor: string;
  readonly why: string;
}

export interface DetectionTensorNames {
  readonly location: string;
  /** null: the category is inside the scores, or there is only one category */
  readonly category: string | null;
  readonly score: string;
  readonly choices: readonly TensorChoice[];
  readonly warnings: readonly string[];
}

/** Lists each role with the tensor chosen for it and the rule's reason. */
export function chooseTensors(
  names: { location: string; category: string | null; score: string },
  why: { location: string; category?: string; score: string },
  warnings: readonly string[] = [],
): DetectionTensorNames {
  const choices: TensorChoice[] = [{ role: 'location', tensor: names.location, why: why.location }];
  if (names.category !== null) choices.push({ role: 'category', tensor: names.category, why: why.category ?? '' });
  choices.push({ role: 'score', tensor: names.score, why: why.score });
  return { ...names, choices, warnings };
}
