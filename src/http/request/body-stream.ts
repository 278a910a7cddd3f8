import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { handOver } from '../../base/spent-bytes.ts'
import { askForBytes, type BodySource, type ByteLimits, bodyBrokenOff, bodyTooLarge } from './request-body.ts'

/** The body of a request, without waiting for it. @throws bodyTooLarge when its length says so; compressedBody */
export function openBytes(request: BodySource, limits: ByteLimits): Readable {
  if (request.bytesRead !== undefined) return Readable.from([request.bytesRead])
  askForBytes(request, limits)
  return handOver(new BodyStream(request.raw, limits, request.tap))
}

/**
 * The body of a request as it comes in, at the pace of its reader. Ending it early leaves the connection alone, so that there
 * is still a client to answer. The time that a client may take is counted only while we wait for it, not while it waits for us.
 */
class BodyStream extends Readable {
  readonly #raw: IncomingMessage
  readonly #limits: ByteLimits
  readonly #tap: BodySource['tap']
  #length = 0
  #stalled: NodeJS.Timeout | undefined

  constructor(raw: IncomingMessage, limits: ByteLimits, tap: BodySource['tap']) {
    super({ highWaterMark: raw.readableHighWaterMark })
    this.#raw = raw
    this.#limits = limits
    this.#tap = tap
    // The reader may not have begun when it breaks, and gets the error when it does.
    this.on('error', () => {})
    raw.on('data', this.#take).pause()
    raw.once('end', this.#end)
    raw.once('error', this.#breakOff)
    raw.once('close', this.#breakOff)
    // The client may be gone by now, and there is nothing to wait for.
    if (raw.destroyed) this.#breakOff()
  }

  override _read(): void {
    this.#stalled ??= setTimeout(() => this.#raw.destroy(), this.#limits.stallSeconds * 1000)
    this.#raw.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stopWaiting()
    // One that breaks off later has no reader any more, but an error without a listener would end the process.
    this.#raw.off('data', this.#take).off('end', this.#end).off('close', this.#breakOff).pause()
    done(error)
  }

  readonly #take = (chunk: Buffer) => {
    this.#length += chunk.length
    this.#tap?.(chunk)
    if (this.#length > this.#limits.maxBytes) this.destroy(bodyTooLarge({ maxBytes: this.#limits.maxBytes }))
    else if (this.push(chunk)) this.#stalled?.refresh()
    else this.#waitForReader()
  }

  readonly #end = () => {
    this.#stopWaiting()
    this.push(null)
  }

  readonly #breakOff = () => {
    if (!this.#raw.readableEnded) this.destroy(bodyBrokenOff())
  }

  #waitForReader(): void {
    this.#stopWaiting()
    this.#raw.pause()
  }

  #stopWaiting(): void {
    clearTimeout(this.#stalled)
    this.#stalled = undefined
  }
}
