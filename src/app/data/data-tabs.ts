import type { DescMethod } from '@bufbuild/protobuf';
import type { Component } from 'svelte';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { IconName } from '../kit/controls/Icon.svelte';
import type { DataTabProps } from './context/data-context.ts';
import type { DataTab } from './context/data-route.ts';

interface TabEntry {
  readonly tab: DataTab;
  readonly text: string;
  readonly icon: IconName;
  /** what the tab asks first, where not every role may: without it the tab is not shown */
  readonly needs?: DescMethod;
  /** Loaded when the tab is first opened. */
  readonly load: () => Promise<{ default: Component<DataTabProps> }>;
}

/** The tabs in display order; each has a folder of its name. */
export const dataTabs: readonly TabEntry[] = [
  { tab: 'images', text: 'Images', icon: 'image', load: () => import('./tabs/images/ImagesTab.svelte') },
  {
    tab: 'point-clouds',
    text: 'Point clouds',
    icon: 'cube',
    load: () => import('./tabs/point-clouds/PointCloudsTab.svelte'),
  },
  { tab: 'sensors', text: 'Sensors', icon: 'chart', load: () => import('./tabs/sensors/SensorsTab.svelte') },
  { tab: 'files', text: 'Files', icon: 'folder', load: () => import('./tabs/files/FilesTab.svelte') },
  {
    tab: 'sequences',
    text: 'Sequences',
    icon: 'play',
    needs: DataService.method.listSequences,
    load: () => import('./tabs/sequences/SequencesTab.svelte'),
  },
  { tab: 'replay', text: 'Replay', icon: 'film', load: () => import('./tabs/replay/ReplayTab.svelte') },
  {
    tab: 'query',
    text: 'Query',
    icon: 'code',
    needs: DataService.method.tabularDataByMQL,
    load: () => import('./tabs/query/QueryTab.svelte'),
  },
  {
    tab: 'pipelines',
    text: 'Pipelines',
    icon: 'clock',
    needs: DataPipelinesService.method.listDataPipelines,
    load: () => import('./tabs/pipelines/PipelinesTab.svelte'),
  },
  { tab: 'datasets', text: 'Datasets', icon: 'stack', load: () => import('./tabs/datasets/DatasetsTab.svelte') },
  { tab: 'work', text: 'Work', icon: 'check', load: () => import('./tabs/work/WorkTab.svelte') },
  { tab: 'outbox', text: 'Outbox', icon: 'share', load: () => import('./tabs/outbox/OutboxTab.svelte') },
  { tab: 'settings', text: 'Settings', icon: 'gear', load: () => import('./tabs/settings/SettingsTab.svelte') },
];

/** The tab with this name in an address; otherwise the first tab. */
export const tabNamed = (name: string): TabEntry => dataTabs.find(({ tab }) => tab === name) ?? dataTabs[0]!;
