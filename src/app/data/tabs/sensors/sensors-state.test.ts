import { expect, it } from 'vitest';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { startTime, uploadReading } from '../../../../../tests/data-service-fixture.ts';
import { emptyFilter } from '../../shared/filters/data-filter.ts';
import { sourceKey } from './reading-sources.ts';
import { SensorsState } from './sensors-state.svelte.ts';

interface OpenedSensors extends TestTab {
  readonly sensors: SensorsState;
  readonly saved: { readonly name: string; readonly text: string }[];
}

/** Two readings of a scale and three of an arm, a second apart. */
async function openSensors(): Promise<OpenedSensors> {
  const tab = await openDataTab();
  const { owner } = tab.service;
  for (let at = 0; at < 2; at++) await uploadReading(owner, { grams: 1234.56789 + at }, startTime + at * 1e6);
  for (let at = 0; at < 3; at++) await uploadReading(owner, { x: at }, startTime + at * 1e6, { componentName: 'arm' });
  const saved: { readonly name: string; readonly text: string }[] = [];
  const sensors = new SensorsState(tab.context, (name, file) => {
    void file.text().then((text) => saved.push({ name, text }));
  });
  return { ...tab, sensors, saved };
}

const components = ({ sensors }: OpenedSensors) => sensors.readings?.rows.map((row) => row['component']);

it('shows all readings and what they come from', async () => {
  const tab = await openSensors();
  const { sensors } = tab;
  expect([sensors.readings, sensors.summary, sensors.columns]).toEqual([null, '', []]);
  sensors.read();
  await expect.poll(() => [components(tab)?.length, sensors.sources.length]).toEqual([5, 2]);
  expect(sensors.summary).toMatch(/^5 readings · \d/);
  expect(sensors.columns.map(({ path }) => path)).toEqual(['time', 'component', 'x', 'grams']);
  expect([sensors.chosen, sensors.latest, sensors.isFiltered]).toEqual(['', null, false]);
});

it('shows one source alone, without its name in every line, and the newest value of it', async () => {
  const tab = await openSensors();
  const { sensors, context } = tab;
  sensors.read();
  await expect.poll(() => sensors.sources.map(({ componentName }) => componentName)).toEqual(['arm', 'scale']);
  sensors.show({ ...emptyFilter, start: '2026-01-01T00:00' });
  const scale = sourceKey(sensors.sources[1]!);
  sensors.choose(scale);
  expect(context.place.rest).toContain('component=scale');
  expect(context.place.rest).toContain('from=2026-01-01');
  sensors.read();
  await expect.poll(() => components(tab)).toEqual(['scale', 'scale']);
  expect(sensors.summary).toMatch(/^2 readings/);
  expect(sensors.chosen).toBe(scale);
  expect(sensors.columns.map(({ path }) => path)).toEqual(['time', 'grams']);
  await expect
    .poll(() => sensors.latest)
    .toEqual({ time: '2026-03-11 05:00:01.000 UTC', values: [['grams', '1,235.5679']] });
  sensors.choose(sourceKey(sensors.sources[0]!));
  expect(sensors.latest).toBeNull(); // the arm's newest reading is not read yet
  sensors.choose('');
  expect(context.place.rest).toBe('?from=2026-01-01T00:00');
  expect(sensors.latest).toBeNull();
});

it('tells sources of one component apart by their methods', async () => {
  const { sensors, service } = await openSensors();
  await uploadReading(service.owner, { grams: 7 }, startTime + 5e6, { methodName: 'Weigh' });
  sensors.read();
  await expect.poll(() => sensors.sources.map(({ methodName }) => methodName)).toContain('Weigh');
  sensors.choose(sourceKey(sensors.sources.find(({ methodName }) => methodName === 'Weigh')!));
  expect(sensors.matching.map(({ methodName, count }) => [methodName, count])).toEqual([['Weigh', 1]]);
});

it('shows the newest value of a source that the address names from the start', async () => {
  const { sensors, context } = await openSensors();
  context.place.go('sensors', '?component=arm');
  sensors.read();
  await expect.poll(() => sensors.latest?.values).toEqual([['x', '2']]);
});

it('lets a read that was overtaken show nothing', async () => {
  const { context, service } = await openSensors();
  const { data } = service.owner;
  let [calls, goOn] = [0, (): void => undefined];
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const ended: string[] = [];
  const tabularDataByFilter: typeof data.tabularDataByFilter = async (request, options) => {
    if (calls++ === 0) await held;
    return data
      .tabularDataByFilter(request, options)
      .finally(() => ended.push(request.dataRequest?.filter?.componentName ?? ''));
  };
  const sensors = new SensorsState({ ...context, data: { ...data, tabularDataByFilter } }, () => undefined);
  context.place.go('sensors', '?component=arm');
  sensors.read();
  context.place.go('sensors', '?component=scale');
  sensors.read();
  await expect.poll(() => sensors.readings?.rows.length).toBe(2);
  goOn();
  await expect.poll(() => ended).toContain('arm');
  await new Promise((resolve) => setImmediate(resolve)); // let the code that awaited the answer run
  expect(sensors.readings?.rows.map((row) => row['component'])).toEqual(['scale', 'scale']);
});

it('says nothing of the newest where the address names no known source', async () => {
  const { sensors, context, reported } = await openSensors();
  context.place.go('sensors', '?component=none');
  sensors.read();
  await expect.poll(() => [sensors.summary.slice(0, 10), sensors.sources.length]).toEqual(['0 readings', 2]);
  expect([sensors.matching, sensors.chosen, sensors.latest, sensors.isFiltered]).toEqual([[], '', null, true]);
  expect(reported).toEqual([]);
});

it('keeps what was shown until there is something else, and reads again only when something came', async () => {
  const tab = await openSensors();
  const { sensors, service } = tab;
  sensors.read();
  await expect.poll(() => components(tab)?.length).toBe(5);
  const first = sensors.readings;
  await sensors.checkForNew();
  expect(sensors.readings).toBe(first);
  await uploadReading(service.owner, { grams: 3 }, startTime + 9e6);
  await sensors.checkForNew();
  expect(components(tab)).toHaveLength(5);
  await expect.poll(() => components(tab)?.length).toBe(6);
});

it('writes what is shown, also of a source that came since', async () => {
  const tab = await openSensors();
  const { sensors, service, said, saved, context } = tab;
  sensors.read();
  await expect.poll(() => sensors.sources.length).toBe(2);
  await uploadReading(service.owner, { v: 12 }, startTime, { componentName: 'battery' });
  const writing = sensors.save('jsonl');
  expect(sensors.saving.progress).toEqual({ taken: 0, written: 0 });
  await writing;
  await expect.poll(() => saved.length).toBe(1);
  expect(saved[0]!.name).toBe('readings.jsonl');
  expect(saved[0]!.text.trimEnd().split('\n')).toHaveLength(6);
  expect([said, sensors.saving.progress]).toEqual([['6 rows written.'], null]);
  context.place.go('sensors', '?component=battery&until=2026-03-11T05:00:01');
  await sensors.save('csv');
  await expect.poll(() => saved.length).toBe(2);
  expect(saved[1]).toEqual({
    name: 'battery.csv',
    text:
      'time_captured,resource_name,resource_subtype,method_name,method_parameters,part_name,part_id,robot_name,robot_id,' +
      'location_id,organization_id,tags,payload.readings.v\r\n' +
      '2026-03-11T05:00:00Z,battery,rdk:component:sensor,Readings,{},lab main,lab-part,lab robot,lab-robot,lab,a,[],12\r\n',
  });
});

it('writes nothing once it was stopped', async () => {
  const { sensors, said, reported, saved } = await openSensors();
  const writing = sensors.save('csv');
  sensors.saving.end();
  await writing;
  expect([said, reported, saved, sensors.saving.progress]).toEqual([['Stopped. Nothing was saved.'], [], [], null]);
});

it('says what failed', async () => {
  const { service, context, reported } = await openDataTab();
  const stranger = new SensorsState({ ...context, data: service.stranger.data }, () => undefined);
  stranger.read();
  await expect.poll(() => reported.length).toBe(2);
  expect(reported.toSorted().map((words) => words.slice(0, 45))).toEqual([
    'The readings could not be counted. This key i',
    'What readings come from could not be listed. ',
  ]);
});

it('shows the readings to who may not query for their sources', async () => {
  const tab = await openDataTab();
  const { annotator, owner } = tab.service;
  await uploadReading(owner, { grams: 1 }, startTime);
  const { data, transport } = annotator;
  const refusal = (method: { readonly name: string }) => (method.name === 'TabularDataByMQL' ? 'Not you.' : '');
  const sensors = new SensorsState({ ...tab.context, data, transport, refusal });
  sensors.read();
  await expect.poll(() => sensors.readings?.rows.length).toBe(1);
  expect([sensors.sources, tab.reported]).toEqual([[], []]);
});
