import type { TabularFilter } from '../ports/capture-filter.ts';

/** All readings of an organization that are not the system's own. */
export const everythingOf = (organizationId: string): TabularFilter => ({
  organizationId,
  locationIds: [],
  ...{ robotId: '', robotName: '', partId: '', partName: '', componentType: '', componentName: '', methodName: '' },
  interval: { start: null, end: null },
  tags: [],
  tagged: 'either',
  includeInternal: false,
  additionalParameters: null,
});
