import {
  matchesTabular,
  payloadText,
  type TabularFilter,
  type TabularRow,
} from '../../../data-service/face/captures.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import type { CaptureCollection } from './sqlite-captures.ts';

export const tabularCaptures: CaptureCollection<TabularRow, TabularFilter> = {
  table: 'tabular_captures',
  ownColumns: ({ timeSynced, payload }) => ({ time_synced: timeSynced, payload: payloadText(payload) }),
  entryColumns: 'entry, payload',
  hasSheets: true,
  join: joinTabular,
  matches: matchesTabular,
};
