/** "robot.local:8080" of an address; '' of none. */
export function hostOf(url: string): string {
  return url === '' ? '' : new URL(url).host;
}
