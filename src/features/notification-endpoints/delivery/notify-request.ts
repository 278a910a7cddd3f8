import type { IsoDate } from '../../../base/iso-date.ts'

/** A message of proto/notification.proto. */
export interface NotifyRequest {
  readonly name: string
  readonly eventId: string
  readonly event: string
  readonly eventTime: IsoDate
  readonly repository: string
  readonly documentId: string
  readonly json: string
  readonly fullState: boolean
}

export const notifyPath = '/platform.notification.v1.NotificationReceiver/Notify'

/** In the wire format of Protocol Buffers. Eight fields are no reason to load a compiler of schemas. */
export function encodeNotifyRequest(request: NotifyRequest): Buffer {
  const milliseconds = Date.parse(request.eventTime)
  const seconds = Math.floor(milliseconds / 1_000)
  const time = Buffer.concat([number(1, BigInt(seconds)), number(2, BigInt((milliseconds - seconds * 1_000) * 1_000_000))])
  return Buffer.concat([
    text(1, request.name),
    text(2, request.eventId),
    text(3, request.event),
    bytes(4, time),
    text(5, request.repository),
    text(6, request.documentId),
    text(7, request.json),
    number(8, request.fullState ? 1n : 0n),
  ])
}

const [varintWire, lengthWire] = [0, 2]

/** What has its default value is left out. */
function number(field: number, value: bigint): Buffer {
  return value === 0n ? Buffer.alloc(0) : Buffer.concat([varint(BigInt((field << 3) | varintWire)), varint(value)])
}

function text(field: number, value: string): Buffer {
  return value === '' ? Buffer.alloc(0) : bytes(field, Buffer.from(value))
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | lengthWire)), varint(BigInt(value.length)), value])
}

/** Seven bits in a byte, the lowest first; a negative number has the 64 bits of its complement. */
function varint(value: bigint): Buffer {
  const encoded: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 127n; rest >>= 7n) encoded.push(Number(rest & 127n) | 128)
  encoded.push(Number(rest))
  return Buffer.from(encoded)
}
