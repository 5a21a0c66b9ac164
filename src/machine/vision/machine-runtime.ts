const commit = 'b0d2f62e';

/** The machine's runtime whose code decides what is imitated here; answers of that very code are what tests compare with. */
export const machineRuntime = `viamrobotics/rdk ${commit}, Go 1.25`;

/** The part of that runtime that filters the results of a vision service. */
export const machineFilter = { source: 'github.com/viamrobotics/rdk', commit, part: 'mlmodel vision service' } as const;
