import type { DescMethod } from '@bufbuild/protobuf';
import type { Component } from 'svelte';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { AreaRoute } from '../areas/area-route.svelte.ts';
import type { IconName } from '../kit/controls/Icon.svelte';
import type { DataTabProps } from './context/data-context.ts';
import type { DataTab } from './context/data-route.ts';

interface TabEntry {
  readonly tab: DataTab;
  readonly text: string;
  /** what the tab asks first, where not every role may: without it the tab is not shown */
  readonly needs?: DescMethod;
  /** Loaded when the tab is first opened. */
  readonly load: () => Promise<{ default: Component<DataTabProps> }>;
}

interface TabGroup {
  readonly text: string;
  readonly icon: IconName;
  readonly tabs: readonly TabEntry[];
}

/** The groups of tabs in display order; each tab has a folder of its name. */
export const tabGroups: readonly TabGroup[] = [
  {
    text: 'Images',
    icon: 'image',
    tabs: [
      { tab: 'images', text: 'Images', load: () => import('./tabs/images/ImagesTab.svelte') },
      { tab: 'point-clouds', text: 'Point clouds', load: () => import('./tabs/point-clouds/PointCloudsTab.svelte') },
      { tab: 'files', text: 'Files', load: () => import('./tabs/files/FilesTab.svelte') },
      {
        tab: 'sequences',
        text: 'Sequences',
        needs: DataService.method.listSequences,
        load: () => import('./tabs/sequences/SequencesTab.svelte'),
      },
    ],
  },
  {
    text: 'Datasets',
    icon: 'stack',
    tabs: [
      { tab: 'datasets', text: 'Datasets', load: () => import('./tabs/datasets/DatasetsTab.svelte') },
      { tab: 'work', text: 'Work', load: () => import('./tabs/work/WorkTab.svelte') },
    ],
  },
  {
    text: 'Readings',
    icon: 'chart',
    tabs: [
      { tab: 'sensors', text: 'Sensors', load: () => import('./tabs/sensors/SensorsTab.svelte') },
      {
        tab: 'query',
        text: 'Query',
        needs: DataService.method.tabularDataByMQL,
        load: () => import('./tabs/query/QueryTab.svelte'),
      },
      {
        tab: 'pipelines',
        text: 'Pipelines',
        needs: DataPipelinesService.method.listDataPipelines,
        load: () => import('./tabs/pipelines/PipelinesTab.svelte'),
      },
    ],
  },
  {
    text: 'Outbox',
    icon: 'share',
    tabs: [{ tab: 'outbox', text: 'Outbox', load: () => import('./tabs/outbox/OutboxTab.svelte') }],
  },
];

/** opened by the gear */
const settingsTab: TabEntry = {
  tab: 'settings',
  text: 'Settings',
  load: () => import('./tabs/settings/SettingsTab.svelte'),
};

/** shown in the area of the evaluation: both say what a threshold does */
const replayTab: TabEntry = { tab: 'replay', text: 'Replay', load: () => import('./tabs/replay/ReplayTab.svelte') };

/** The tab that is open; the first one where the address names none. */
export function openTab(areas: Pick<AreaRoute, 'area' | 'tabOf'>): TabEntry {
  if (areas.area === 'evaluate') return replayTab;
  const named = areas.tabOf('data');
  const tabs = [...tabGroups.flatMap((group) => group.tabs), settingsTab];
  return tabs.find(({ tab }) => tab === named) ?? tabs[0]!;
}
