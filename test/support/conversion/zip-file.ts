import { crc32, deflateRawSync } from 'node:zlib'

/** A zip archive of entries, compressed, and with the sizes that they are said to have. */
export function formatZip(
  entries: readonly (readonly [name: string, content: string | Uint8Array])[],
  claimedSize?: number,
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const size = claimedSize ?? bytes.length
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x08_00, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(title.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, packed])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(10), offsetBytes(offset), title]),
    )
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

function offsetBytes(offset: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(offset)
  return bytes
}
