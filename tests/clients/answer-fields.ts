import type { DescMethod } from '@bufbuild/protobuf';

/** The fields of an answer of a Connect transport besides the message. Headers stay empty, because no scenario reads them. */
export const answerFields = <Described extends DescMethod>(method: Described) => ({
  service: method.parent,
  method,
  header: new Headers(),
  trailer: new Headers(),
});
