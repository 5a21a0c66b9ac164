/** The one database, and its collection of what sensors read (docs.viam.com, "Query data"). */
export const databaseName = 'sensorData';
export const readingsName = 'readings';
