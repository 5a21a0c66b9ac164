import type { Dice } from './dice.ts';

type Json = Record<string, unknown>;

const rightAngles = [0, 90, 180, 270, -90, 450, 720, 360, -180, -270];

/** A random transform step, mostly valid, sometimes with a mistake. */
export function randomStep(dice: Dice): unknown {
  if (dice.chance(0.012)) return { type: dice.pick(['undistort', 'identity', 'Crop', 'blur', ' ']) };
  if (dice.chance(0.006)) return dice.pick([3, 'crop', { attributes: {} }, { type: 7 }, {}]);
  const type = dice.pick(['crop', 'crop', 'resize', 'rotate', 'rotate', '']);
  const attributes = attributesOf(type, dice);
  return { type, attributes: dice.chance(0.04) ? spoiled(attributes, dice) : attributes };
}

function attributesOf(type: string, dice: Dice): Json {
  switch (type) {
    case 'crop':
      return cropAttributes(dice);
    case 'resize':
      return { width_px: sizePx(dice), height_px: sizePx(dice) };
    case 'rotate':
      return dice.chance(0.1) ? {} : { angle_degs: angle(dice) };
    default:
      return {};
  }
}

/** Crop windows in fractions, pixels or fractional pixels, also empty, reversed or outside the picture. */
function cropAttributes(dice: Dice): Json {
  const kind = dice.pick([
    'relative',
    'relative',
    'relative',
    'absolute',
    'absolute',
    'absolute',
    'absolute',
    'mixed',
    'corner',
    'anything',
  ] as const);
  if (kind === 'corner') return { x_min_px: 0, y_min_px: 0, x_max_px: 1, y_max_px: 1 };
  const [near, far] = {
    relative: [() => dice.decimal(0, 0.5), () => dice.decimal(0.5, 1)],
    absolute: [() => dice.pick([0, 0, 0, 1, 2]), () => dice.whole(2, 60)],
    mixed: [() => dice.decimal(0, 1), () => dice.decimal(0.99, 9)],
    anything: [() => dice.decimal(-0.2, 40, 2), () => dice.decimal(-0.2, 60, 2)],
  }[kind] as [() => number, () => number];
  const window = { x_min_px: near(), y_min_px: near(), x_max_px: far(), y_max_px: far() };
  return dice.chance(0.06) ? without(window, dice.pick(Object.keys(window))) : window;
}

const without = (attributes: Json, key: string): Json =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== key));

const sizePx = (dice: Dice) => (dice.chance(0.015) ? dice.pick([0, 0.9]) : dice.pick([1, 2, 3, dice.whole(1, 90)]));

const angle = (dice: Dice) =>
  dice.chance(0.5) ? dice.pick(rightAngles) : dice.pick([dice.decimal(-400, 400), dice.whole(-400, 400), 45, 0.01]);

/** Wrong values that people write. */
export const oddValues: readonly unknown[] = [
  '640',
  '',
  'true',
  true,
  false,
  null,
  [],
  [1],
  ['1'],
  {},
  { a: 1 },
  { a: 'x' },
  -1,
  -0.5,
  0,
  2.9,
  1e6,
  [0.5, null],
];

function spoiled(attributes: Json, dice: Dice): unknown {
  if (dice.chance(0.1)) return dice.pick([null, [], 'x', 1]);
  const key = dice.pick([...Object.keys(attributes), 'overlay_crop_box', 'angle_deg', 'no such key']);
  const written = dice.chance(0.3) ? key.toUpperCase() : key;
  // Without `true`, because drawing overlays is tested elsewhere, and without large sizes, which only take time.
  const odd = oddValues.filter((value) => value !== true && !(typeof value === 'number' && value > 999));
  return { ...without(attributes, key), [written]: dice.pick(odd) };
}
