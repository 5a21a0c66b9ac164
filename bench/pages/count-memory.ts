import type { CountedMemory } from '../counted-memory.ts';

// Run this in a page or worker before any other script. It records every WebAssembly memory and every GPU allocation, and
// defines `countedMemory`, which returns the sizes of those that are still alive.

const memories: WeakRef<WebAssembly.Memory>[] = [];
const onGpu: { readonly held: WeakRef<GPUBuffer | GPUTexture>; readonly bytes: number }[] = [];
const destroyed = new WeakSet<object>();
const { Memory, instantiate, instantiateStreaming } = WebAssembly;

const note = (instance: WebAssembly.Instance): void => {
  for (const exported of Object.values(instance.exports)) {
    if (exported instanceof Memory) memories.push(new WeakRef(exported));
  }
};
const noteInstance = <T>(result: T): T => {
  note(result instanceof WebAssembly.Instance ? result : (result as { instance: WebAssembly.Instance }).instance);
  return result;
};
WebAssembly.Memory = new Proxy(Memory, {
  construct(target, [descriptor]) {
    const memory = new target(descriptor as WebAssembly.MemoryDescriptor);
    memories.push(new WeakRef(memory));
    return memory;
  },
});
WebAssembly.instantiate = (async (...given: Parameters<typeof instantiate>) =>
  noteInstance(await instantiate(...given))) as typeof instantiate;
WebAssembly.instantiateStreaming = async (...given) => noteInstance(await instantiateStreaming(...given));
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, [module, imports]) {
    const instance = new target(module as WebAssembly.Module, imports as WebAssembly.Imports);
    note(instance);
    return instance;
  },
});

if ('GPUDevice' in globalThis) {
  const { createBuffer, createTexture } = GPUDevice.prototype;
  const noteOnGpu = <T extends GPUBuffer | GPUTexture>(made: T, bytes: number): T => {
    onGpu.push({ held: new WeakRef(made), bytes });
    return made;
  };
  GPUDevice.prototype.createBuffer = function (descriptor) {
    return noteOnGpu(createBuffer.call(this, descriptor), descriptor.size);
  };
  GPUDevice.prototype.createTexture = function (descriptor) {
    const texture = createTexture.call(this, descriptor);
    return noteOnGpu(texture, 4 * texture.width * texture.height * texture.depthOrArrayLayers);
  };
  for (const { prototype } of [GPUBuffer, GPUTexture]) {
    const { destroy } = prototype;
    prototype.destroy = function () {
      destroyed.add(this);
      return destroy.call(this as never);
    };
  }
}

function countedMemory(): CountedMemory {
  const held = new Set(memories.map((memory) => memory.deref()).filter((memory) => memory !== undefined));
  return {
    wasmBytes: [...held].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    gpuBytes: onGpu.reduce((sum, { held, bytes }) => {
      const made = held.deref();
      return made && !destroyed.has(made) ? sum + bytes : sum;
    }, 0),
  };
}

Object.assign(globalThis, { countedMemory });
