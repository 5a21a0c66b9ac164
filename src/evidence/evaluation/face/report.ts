// Reports as pages.

export { classReportText } from '../report/class-report.ts';
export { escapeHtml } from '../report/escape-html.ts';
export { makeReport, type ReportSubject, reportText } from '../report/evaluation-report.ts';
export { type DrawingArea, linePath } from '../report/line-path.ts';
export { thinned } from '../report/line-plot.ts';
export type { PicturedError } from '../report/pictured-errors.ts';
export { csvText, reportPage, table } from '../report/report-page.ts';
export { labelsOfModelAloneText, unknownTruth, type UnknownTruth, unknownTruthText } from '../report/unknown-truth.ts';
