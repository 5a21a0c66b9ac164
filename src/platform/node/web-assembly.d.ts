// Node has WebAssembly, its types do not: what is used of it here.
declare namespace WebAssembly {
  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number; readonly shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
