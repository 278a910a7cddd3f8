import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataDescriptor, directoryRecord, endRecords, localHeader, type WrittenEntry } from './zip-records.ts'

const entry: WrittenEntry = {
  name: Buffer.from('a'),
  modified: new Date('2031-01-31T10:20:30.000Z'),
  isStreamed: true,
  isLarge: false,
  extra: Buffer.alloc(0),
  crc: 1,
  size: 2,
  compressedSize: 3,
  offset: 4,
}
const beyond32 = 5_000_000_000
const oneField = 4

// Written once with 4.4 GB and read by two other programs; what is here keeps it so.
describe('records of files beyond four gigabytes', () => {
  test('say so before the data, and leave room for longer numbers', () => {
    const header = localHeader({ ...entry, isLarge: true })
    assert.deepEqual([header.readUInt16LE(4), header.readUInt32LE(18), header.readUInt32LE(22)], [45, 0xffff_ffff, 0xffff_ffff])
    assert.deepEqual([header.readUInt16LE(28), header.readUInt16LE(31), header.readUInt16LE(33)], [20, 1, 16])
  })

  test('have longer numbers behind the data', () => {
    const descriptor = dataDescriptor({ crc: 1, size: beyond32, compressedSize: beyond32 + 1 }, true)
    assert.deepEqual([descriptor.readBigUInt64LE(8), descriptor.readBigUInt64LE(16)], [BigInt(beyond32 + 1), BigInt(beyond32)])
    assert.equal(dataDescriptor({ crc: 1, size: 2, compressedSize: 3 }, false).length, 16)
  })

  test('have in the directory only those longer numbers that are needed, in their order', () => {
    const place = 46 + entry.name.length
    const late = directoryRecord({ ...entry, offset: beyond32 })
    assert.deepEqual([late.readUInt32LE(24), late.readUInt32LE(42), late.readUInt16LE(30)], [2, 0xffff_ffff, oneField + 8])
    assert.equal(late.readBigUInt64LE(place + oneField), BigInt(beyond32))
    const large = directoryRecord({ ...entry, size: beyond32, compressedSize: beyond32 + 1, isLarge: true })
    assert.equal(large.readBigUInt64LE(place + oneField), BigInt(beyond32))
    assert.equal(large.readBigUInt64LE(place + oneField + 8), BigInt(beyond32 + 1))
    assert.equal(directoryRecord(entry).readUInt16LE(30), 0)
  })

  test('end with a longer end, which is where its locator says', () => {
    const end = endRecords({ entries: 3, size: 100, offset: beyond32 })
    assert.equal(end.length, 56 + 20 + 22)
    assert.deepEqual([end.readBigUInt64LE(32), end.readBigUInt64LE(40), end.readBigUInt64LE(48)], [3n, 100n, BigInt(beyond32)])
    assert.equal(end.readBigUInt64LE(56 + 8), BigInt(beyond32 + 100))
    assert.equal(end.readUInt32LE(56 + 20 + 16), 0xffff_ffff)
    assert.equal(endRecords({ entries: 3, size: 100, offset: 5 }).length, 22)
  })
})
