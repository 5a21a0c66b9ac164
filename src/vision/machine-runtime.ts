/** The machine's runtime whose code decides what is imitated here; answers of that very code are what tests compare with. */
export const machineRuntime = 'viamrobotics/rdk b0d2f62e, Go 1.25';
