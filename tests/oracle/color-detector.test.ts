import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { encode } from 'fast-png';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VisionService } from '../../src/gen/service/vision/v1/vision_pb.ts';
import { answerColors, inOrder } from './cases/answer-colors.ts';
import { colorCase, randomAttributes } from './cases/color-cases.ts';
import { diceOf } from './cases/dice.ts';
import { hasMachine, startMachine } from './machine.ts';

const seed = 1;
const serviceCount = 50;
const pictureCount = 60;

describe.skipIf(!hasMachine)(
  'colour detectors of a real machine (skipped without ../shared/machine and viam-sdk)',
  () => {
    it('give the same boxes, and refuse the same attributes', { timeout: 300_000 }, async () => {
      const pictures = Array.from({ length: pictureCount }, (_, number) => colorCase(seed, number).frame);
      const services = Array.from({ length: serviceCount }, (_, number) => {
        const dice = diceOf(seed, 1000 + number);
        const { samples, widthPx, heightPx } = dice.pick(pictures);
        const colors = Array.from({ length: widthPx * heightPx }, (_, at) => [...samples.subarray(4 * at, 4 * at + 3)]);
        const attributes = randomAttributes(dice, { colors: colors as unknown as [number, number, number][] });
        // One of another type would make it refuse everything.
        return { name: `c${number}`, attributes: attributes['detect_color'] === 7 ? {} : attributes };
      });
      const resources = services.map((service) => ({ ...service, api: 'rdk:service:vision', model: 'color_detector' }));
      const ask = (origin: string, name: string, number: number) =>
        createClient(VisionService, createGrpcWebTransport({ baseUrl: origin, httpVersion: '1.1' }))
          .getDetections({ name, image: bytes[number]!, mimeType: 'image/png' })
          .then(
            ({ detections }) =>
              detections.map(
                ({ className, xMin, yMin, xMax, yMax }) => `${className} ${[xMin, yMin, xMax, yMax].join(',')}`,
              ),
            // Any other error (a service that is not built yet, a connection that is lost) says nothing of the attributes.
            (error: unknown) => {
              if (String(error).includes('resource build error')) return null;
              throw error;
            },
          );
      const bytes = pictures.map(({ widthPx: width, heightPx: height, samples }) =>
        encode({ width, height, data: new Uint8Array(samples), channels: 4 }),
      );
      // The machine builds its services at the same time, so each is asked whether it is there.
      const machine = await startMachine({ components: [], services: resources }, (origin) =>
        Promise.all(services.map(({ name }) => ask(origin, name, 0))),
      );
      onTestFinished(() => machine.close());

      const differing: unknown[] = [];
      let [boxes, refused] = [0, 0];
      for (const { name, attributes } of services) {
        for (const [number, frame] of pictures.entries()) {
          const there = await ask(machine.origin, name, number);
          const here = answerColors({ attributes, frame });
          if (JSON.stringify(inOrder(here)) !== JSON.stringify(inOrder(there)))
            differing.push({ attributes, number, here, there });
          boxes += there?.length ?? 0;
          if (!there) refused++;
        }
      }
      console.log(
        `${serviceCount * pictureCount} questions, ${boxes} boxes, ${refused} refused, ${differing.length} differ`,
      );
      expect(differing).toEqual([]);
      // If nearly all were refused or empty, the run would compare nothing.
      expect(boxes).toBeGreaterThan(1000);
      expect(refused).toBeGreaterThan(0);
    });
  },
);
