/** A vision service and the `model_path` of its model service; '': the configuration has none. */
export interface WantedModel {
  readonly service: string;
  readonly path: string;
}

/** Which service runs which model, and which paths a person has assigned to a model. */
export interface ModelAssignments {
  /** model id by service */
  readonly assigned: Readonly<Record<string, string>>;
  /** paths by model id */
  readonly takenFor: Readonly<Record<string, readonly string[]>>;
}

interface Situation {
  readonly assignments: ModelAssignments;
  readonly inMemory: readonly { readonly modelId: string; readonly fileName: string }[];
  /** one for each vision service of the present configuration */
  readonly wanted: readonly WantedModel[];
  /** the tuned service; '': the configuration has none */
  readonly tuned: string;
  /** whether the configuration is another one, not an edit of the one before */
  readonly isOther: boolean;
}

/** Whether a path names a model's file. */
export function isNamedBy(path: string, fileName: string): boolean {
  return path.split(/[/\\]/).at(-1) === fileName;
}

/** Records that a path of this configuration means a model. */
export function takeFor(
  takenFor: ModelAssignments['takenFor'],
  modelId: string,
  path: string,
): ModelAssignments['takenFor'] {
  const paths = takenFor[modelId] ?? [];
  return path === '' || paths.includes(path) ? takenFor : { ...takenFor, [modelId]: [...paths, path] };
}

/**
 * ModelAssignments the models in memory anew after the configuration changed. Under edits of one configuration a model stays where it is,
 * whatever is renamed. In another one a service runs only what its `model_path` names, or what was taken for that before: a
 * model that merely happens to be on the bench would show its results under the name of one that is not here.
 */
export function assignModels({ assignments, inMemory, wanted, tuned, isOther }: Situation): ModelAssignments {
  const pathOf = (service: string): string => wanted.find((one) => one.service === service)?.path ?? '';
  const isGone = (service: string): boolean => service !== tuned && !wanted.some((one) => one.service === service);
  const fits = (modelId: string, path: string): boolean =>
    path === '' ||
    (assignments.takenFor[modelId] ?? []).includes(path) ||
    inMemory.some((model) => model.modelId === modelId && isNamedBy(path, model.fileName));

  const before = Object.entries(assignments.assigned);
  const kept = isOther ? before.filter(([service, id]) => !isGone(service) && fits(id, pathOf(service))) : before;
  const assigned = Object.fromEntries(kept);
  const takenFor = isOther
    ? assignments.takenFor
    : kept.reduce((noted, [service, id]) => takeFor(noted, id, pathOf(service)), assignments.takenFor);
  if (assigned[tuned] !== undefined) return { assigned, takenFor };

  const orphan = kept.find(([service]) => isGone(service));
  const candidates = [...before.map(([, id]) => id), ...inMemory.map(({ modelId }) => modelId)];
  const chosen = isOther ? candidates.find((id) => fits(id, pathOf(tuned))) : orphan?.[1];
  if (chosen === undefined) return { assigned, takenFor };
  const others = kept.filter((entry) => entry !== orphan);
  return {
    assigned: { ...Object.fromEntries(others), [tuned]: chosen },
    takenFor: takeFor(takenFor, chosen, pathOf(tuned)),
  };
}
