/** Other tools with the versions whose rules are followed here: earlier and later ones may count otherwise. */
export const toolNames = { ultralytics: 'Ultralytics 8.4', supervision: 'supervision 0.31' } as const;
