import { describe, expect, it } from 'vitest';
import { StreamMeter } from './stream-meter.ts';

describe('StreamMeter', () => {
  it('counts frames, results and drops, and takes the median latency', () => {
    const meter = new StreamMeter(0);
    for (let i = 0; i < 60; i++) meter.frameArrived(i * 100);
    for (let i = 0; i < 30; i++) meter.frameFinished(i * 200, i % 2 ? 80 : 40);
    for (let i = 0; i < 30; i++) meter.frameDropped();
    const stats = meter.stats(6000);
    expect(stats).toEqual({ sourceFps: 9.5, inferenceFps: 4.5, droppedFrames: 30, latencyMs: 80 });
  });

  it('does not divide by the whole window before it has passed', () => {
    const meter = new StreamMeter(0);
    for (let i = 0; i < 15; i++) meter.frameArrived(i * 33);
    expect(meter.stats(500).sourceFps).toBe(30);
  });

  it('says 0 of nothing', () => {
    expect(new StreamMeter(0).stats(9000)).toEqual({ sourceFps: 0, inferenceFps: 0, droppedFrames: 0, latencyMs: 0 });
  });
});
