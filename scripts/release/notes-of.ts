/**
 * The notes of a release.
 * @param tag as `v1.2.3`
 * @param version of package.json
 * @param changelog in Keep a Changelog's form
 * @throws Error where the tag is not of this version, or the changelog has no section or no word for it
 */
export function notesOf(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag is ${tag || 'missing'}, and package.json has version ${version}.`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`) || text.startsWith(`${version} `));
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section ${version}: rename "Unreleased" to "${version} – YYYY-MM-DD".`);
  const notes = section.slice(section.indexOf('\n')).trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return notes;
}
