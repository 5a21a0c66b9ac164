import type { Page } from 'playwright';

const groupOf: Readonly<Record<string, string>> = {
  'Point clouds': 'Images',
  Files: 'Images',
  Sequences: 'Images',
  Work: 'Datasets',
  Sensors: 'Readings',
  Query: 'Readings',
  Pipelines: 'Readings',
};

/** Goes to a tab of the data area, as a person does: by the group it is in. */
export async function openDataTab(page: Page, name: string): Promise<void> {
  const group = groupOf[name] ?? name;
  const within = (navigation: string) => page.getByRole('navigation', { name: navigation, exact: true });
  await within('Data').getByRole('link', { name: group }).click();
  if (group !== name) await within(group).getByRole('link', { name, exact: true }).click();
}
