import { type IncomingHttpHeaders, request } from 'node:http'
import { setImmediate as round } from 'node:timers/promises'

/** One event as a browser would hand it to a page. */
export interface HeardEvent {
  readonly name: string
  readonly id: string
  /** The JSON of its data; tests look into it freely. */
  readonly data: ReturnType<typeof JSON.parse>
  /** When its last byte came. */
  readonly at: number
}

/** A stream of server-sent events, read as HTML 9.2.6 says. */
export interface EventStream {
  readonly headers: IncomingHttpHeaders
  /** All that came so far. */
  readonly heard: readonly HeardEvent[]
  /** What a browser would send as `Last-Event-ID`. */
  readonly lastEventId: string
  /** How often something came that was no event. */
  readonly comments: number
  readonly retry: string | undefined
  /** The first that is so, be it one that came already. */
  until(is: (event: HeardEvent) => boolean): Promise<HeardEvent>
  /** Fulfilled when the server has closed it. */
  readonly closed: Promise<void>
  readonly isClosed: boolean
  /** Stops to read, as a client that has hung does. */
  pause(): void
  resume(): void
  close(): void
}

export type EventStreamHeaders = { readonly [name: string]: string }

export function basicHeader(user: string): EventStreamHeaders {
  return { authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}` }
}

/** Opens a stream over a connection of its own; refuses when the answer is anything but one. */
export function openEventStream(serverUrl: string, headers: EventStreamHeaders, query = ''): Promise<EventStream> {
  const url = new URL(`api/v1/events${query}`, serverUrl)
  const reading = createReading()
  const closed = Promise.withResolvers<void>()
  let isClosed = false
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } }, (answer) => {
      if (answer.statusCode !== 200) {
        answer.resume()
        reject(new RefusedStream(answer.statusCode ?? 0))
        return
      }
      const end = () => {
        isClosed = true
        closed.resolve()
      }
      answer.setEncoding('utf8').on('data', reading.take).on('error', end).once('close', end)
      resolve({
        headers: answer.headers,
        heard: reading.heard,
        get lastEventId() {
          return reading.state.id
        },
        get comments() {
          return reading.state.comments
        },
        get retry() {
          return reading.state.retry
        },
        get isClosed() {
          return isClosed
        },
        closed: closed.promise,
        async until(is) {
          for (;;) {
            const found = reading.heard.find(is)
            if (found !== undefined) return found
            if (isClosed) throw new Error('The stream was closed before that came.')
            await round()
          }
        },
        pause: () => void answer.pause(),
        resume: () => void answer.resume(),
        close: () => void answer.destroy(),
      })
    })
    sent.once('error', reject).end()
  })
}

export class RefusedStream extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The stream was refused with ${status}.`)
    this.status = status
  }
}

function createReading() {
  const heard: HeardEvent[] = []
  const state = { id: '', comments: 0, retry: undefined as string | undefined }
  let rest = ''

  function takeBlock(block: string): void {
    let name = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === '') state.comments += 1
      else if (field === 'id') state.id = value
      else if (field === 'event') name = value
      else if (field === 'retry') state.retry = value
      else if (field === 'data') data.push(value)
    }
    if (data.length > 0) heard.push({ name, id: state.id, data: JSON.parse(data.join('\n')), at: performance.now() })
  }

  return {
    heard,
    state,
    take(text: string) {
      const blocks = `${rest}${text}`.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) takeBlock(block)
    },
  }
}
