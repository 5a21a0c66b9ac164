import { create } from '@bufbuild/protobuf';
import { AnySchema, anyPack, Int32ValueSchema, StructSchema, ValueSchema, type Any } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { uploadPicture, uploadReading } from '../../../tests/data-service-fixture.ts';
import { logIn, serveForTest } from '../test-server.ts';

const speed = anyPack(Int32ValueSchema, create(Int32ValueSchema, { value: 7 }));
const mode = anyPack(ValueSchema, create(ValueSchema, { kind: { case: 'stringValue', value: 'fast' } }));
const foreign = create(AnySchema, { typeUrl: 'type.example/other.Message', value: Uint8Array.of(1, 2) });
const broken = create(AnySchema, {
  typeUrl: `type.googleapis.com/${StructSchema.typeName}`,
  value: Uint8Array.of(255),
});
const empty = anyPack(ValueSchema, create(ValueSchema));
const nameless = create(AnySchema, { typeUrl: 'type.example/', value: Uint8Array.of() });

const typeOf = ({ typeUrl }: Any): string => typeUrl;

it.each(['TabularDataByFilter', 'BinaryDataByFilter'])(
  'answers %s in JSON whatever method parameters machines sent, and says what it left out',
  async (operation) => {
    const server = await serveForTest();
    const { owner } = server.service;
    const methodParameters = { speed, mode, foreign, broken, empty, nameless };
    await uploadReading(owner, { kg: 1 }, undefined, { methodParameters });
    await uploadPicture(owner, { methodParameters });
    const ask = async (): Promise<Response> =>
      fetch(`${server.origin}/viam.app.data.v1.DataService/${operation}`, {
        method: 'POST',
        body: '{}',
        headers: { ...(await logIn(server)), 'content-type': 'application/json' },
      });
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-parameters-left-out')).toBe('4');
    const text = JSON.stringify(await answer.json());
    expect(text).toContain(
      JSON.stringify({ speed: { value: 7, '@type': typeOf(speed) }, mode: { value: 'fast', '@type': typeOf(mode) } }),
    );
    // who asks in protobuf has them as they came
    const { data } = await owner.data.binaryDataByFilter({});
    expect(data[0]!.metadata!.captureMetadata!.methodParameters).toEqual(methodParameters);
    const { metadata } = await owner.data.tabularDataByFilter({});
    expect(metadata[0]!.methodParameters).toEqual(methodParameters);
  },
);

it('takes uploads in JSON with the method parameters that it answers', async () => {
  const server = await serveForTest();
  const answer = await fetch(`${server.origin}/viam.app.datasync.v1.DataSyncService/DataCaptureUpload`, {
    method: 'POST',
    headers: { ...(await logIn(server)), 'content-type': 'application/json' },
    body: JSON.stringify({
      metadata: {
        partId: 'lab-part',
        type: 'DATA_TYPE_TABULAR_SENSOR',
        componentName: 'scale',
        methodName: 'Readings',
        methodParameters: { speed: { '@type': typeOf(speed), value: 7 } },
      },
      sensorContents: [{ struct: { readings: { kg: 1 } } }],
    }),
  });
  expect(await answer.text()).not.toContain('error');
  const { metadata } = await server.service.owner.data.tabularDataByFilter({});
  expect(metadata[0]!.methodParameters).toEqual({ speed });
});
