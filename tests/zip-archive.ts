import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive that `zipArchive` writes. Its directory entry can contain false values. */
export interface ArchivedFile {
  readonly name: string | Uint8Array;
  readonly content?: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly attributes?: number;
  readonly madeBy?: number;
  readonly extra?: Uint8Array;
  /** false values for the directory entry, instead of the true ones */
  readonly says?: { readonly unpackedBytes?: number; readonly packedBytes?: number; readonly headerOffset?: number };
}

/** Writes an archive: local files, central directory and end record (APPNOTE 4.3.6); with `zip64` also its end records. */
export function zipArchive(
  files: readonly ArchivedFile[],
  { zip64 = false, before = '', behind = '' } = {},
): Buffer<ArrayBuffer> {
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const {
    name,
    content = new Uint8Array(),
    method = 0,
    flags = 0,
    attributes = 0,
    madeBy = 20,
    extra = new Uint8Array(),
    says = {},
  } of files) {
    const named = Buffer.from(name);
    const packed = method === 8 ? deflateRawSync(content) : content;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(named.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(madeBy, 4);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(says.packedBytes ?? packed.length, 20);
    entry.writeUInt32LE(says.unpackedBytes ?? content.length, 24);
    entry.writeUInt16LE(named.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(attributes, 38);
    entry.writeUInt32LE(says.headerOffset ?? offset, 42);
    locals.push(local, named, Buffer.from(packed));
    list.push(entry, named, Buffer.from(extra));
    offset += 30 + named.length + packed.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : files.length & 0xffff, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : size, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(behind.length, 20);
  const end64 = zip64 ? [endOfZip64(files.length, size, offset)] : [];
  return Buffer.concat([Buffer.from(before), ...locals, ...list, ...end64, end, Buffer.from(behind)]);
}

function endOfZip64(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  return end;
}
