import { describe, expect, it } from 'vitest';
import { hueName, machineHsv } from './machine-hsv.ts';

describe('machineHsv', () => {
  it.each([
    [[0, 0, 0], { hue: 0, saturation: 0, value: 0 }],
    [[255, 255, 255], { hue: 0, saturation: 0, value: 255 }],
    [[255, 0, 0], { hue: 0, saturation: 255, value: 255 }],
    [[255, 255, 0], { hue: 10922, saturation: 255, value: 255 }],
    [[0, 255, 255], { hue: 32767, saturation: 255, value: 255 }],
    [[255, 0, 255], { hue: 54612, saturation: 255, value: 255 }],
    [[255, 0, 1], { hue: 65492, saturation: 255, value: 255 }],
    [[100, 67, 67], { hue: 0, saturation: 84, value: 100 }],
  ] as const)('%j', ([red, green, blue], hsv) => {
    expect(machineHsv(red, green, blue)).toEqual(hsv);
  });
});

describe('hueName', () => {
  it.each([
    [0, 'red'],
    [14.99, 'red'],
    [15, 'orange'],
    [45, 'yellow'],
    [104.9, 'lime-green'],
    [105, 'green'],
    [164, 'green-blue'],
    [165, 'cyan'],
    [195, 'light-blue'],
    [225, 'blue'],
    [255, 'violet'],
    [285, 'magenta'],
    [315, 'rose'],
    [344.99, 'rose'],
    [345, 'red'],
    [360, 'red'],
  ])('%f° is %s', (hueDeg, name) => {
    expect(hueName(hueDeg)).toBe(name);
  });
});
