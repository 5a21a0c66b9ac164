/** The release of the machine's runtime whose filter the functions of this folder follow, and are compared with. */
export const machineVersion = {
  source: 'github.com/viamrobotics/rdk',
  commit: 'b0d2f62e',
  /** what is followed */
  part: 'mlmodel vision service',
} as const;
