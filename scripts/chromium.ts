import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/**
 * The features that are off in tests: those that Playwright switches off, whose flag this one replaces (Chromium heeds the last),
 * and the pages of the address bar, which each window loads though none is seen (0.8 s of processor time each).
 */
const featuresOff = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];
/** The flag for these features to be off, too. */
export const featuresOffFlag = (...more: readonly string[]): string =>
  `--disable-features=${[...featuresOff, ...more].join(',')}`;

/** A browser that does nothing of its own accord. */
export const quietFlags = [
  featuresOffFlag(),
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** WebGPU on the CPU: exact and slow. All four are needed for WebGPU canvases and VideoFrame imports. */
export const softwareGpuFlags = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
];

export const chromiumTestFlags = [...quietFlags, ...softwareGpuFlags];

/**
 * Compiles WebAssembly once. By default Chromium compiles what a model's runtime and kernels run most again, optimized, which in a page
 * that sees a few frames takes a quarter of its processor time: 0.8 of 3.4 seconds until the first boxes.
 */
export const compileOnceFlags = ['--js-flags=--liftoff-only'];

/** A camera that shows a moving test picture, and permission to use it without a question. */
export const fakeCameraFlags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

const installedPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function findChromium(): string | undefined {
  return [process.env['CHROMIUM_PATH'], ...installedPlaces, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
}

/** Path of a Chromium. @throws Error with the remedy if there is none */
export function chromiumPath(): string {
  const path = findChromium();
  if (path) return path;
  throw new Error(
    'No Chromium found. Install one (Debian: "apt-get install chromium"; anywhere: "npx playwright install chromium") or set CHROMIUM_PATH to its executable.',
  );
}

const headlessShell = '/usr/lib/chromium/chromium-headless-shell';

/**
 * Path of Debian's Chromium without a window, if it is installed (package chromium-headless-shell), else of a Chromium. A page opens in it
 * for 0.2 to 0.5 seconds of processor time less. It has no camera and no background sync.
 */
export const headlessChromiumPath = (): string => (existsSync(headlessShell) ? headlessShell : chromiumPath());

/** Finds a Chromium, else installs one by the ways that this machine allows. */
export function ensureChromium(): string {
  if (findChromium()) return chromiumPath();
  console.error('No Chromium found; trying "npx playwright install chromium" …');
  spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit', shell: process.platform === 'win32' });
  if (!findChromium() && process.platform === 'linux' && process.getuid?.() === 0) {
    console.error('Trying "apt-get install chromium" …');
    spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq chromium'], { stdio: 'inherit' });
  }
  return chromiumPath();
}
