/** A page, all data, or a table. */
export type ReportFormat = 'html' | 'json' | 'csv';

const types: Readonly<Record<ReportFormat, string>> = { html: 'text/html', json: 'application/json', csv: 'text/csv' };

/** The file of a report. */
export const reportBlob = (text: string, format: ReportFormat): Blob => new Blob([text], { type: types[format] });
