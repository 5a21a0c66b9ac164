/** The one database, and its collection of what sensors read (data-service reference, section 6). */
export const databaseName = 'sensorData';
export const readingsName = 'readings';
