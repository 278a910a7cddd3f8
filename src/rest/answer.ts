import type { Readable } from 'node:stream'

/** What a request is answered with, before it is bytes. */
export type Answer =
  | {
      readonly kind: 'entity'
      readonly status: number
      /** Named in the content type: `application/json; platform-entity=document`. */
      readonly entityType?: string
      readonly body: unknown
      readonly headers?: AnswerHeaders
    }
  /** An entity that is written already. */
  | {
      readonly kind: 'entityText'
      readonly status: number
      readonly entityType?: string
      readonly text: string
      /** Follows the text. */
      readonly rest?: Uint8Array
      readonly headers?: AnswerHeaders
    }
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: AnswerHeaders }
  | {
      readonly kind: 'text'
      readonly status: number
      readonly contentType: string
      readonly text: string
      readonly headers?: AnswerHeaders
    }
  | {
      readonly kind: 'stream'
      readonly status: number
      readonly contentType: string
      readonly stream: Readable
      readonly headers?: AnswerHeaders
    }
  /** Has no end of its own: what happens is sent as it happens, until one of both sides closes the connection or the server stops. */
  | {
      readonly kind: 'live'
      readonly status: number
      readonly contentType: string
      readonly headers?: AnswerHeaders
      /** Called once the head was sent; not of HEAD. Gives what is done when the connection is closed, by whichever side. */
      open(line: LiveLine): () => void
    }

/** The way to the client of an answer without an end. */
export interface LiveLine {
  /** Hands a text over, which is sent as soon as the client takes it. Of no effect once the connection is closed. */
  send(text: string): void
  /** What was handed over and lies in memory still, as the client has not taken it. */
  readonly waitingBytes: number
  /** Fulfilled when the client has taken nearly all of it, or is gone. */
  drained(): Promise<void>
  /** Ends the answer; what was handed over still leaves. */
  close(): void
  /** Breaks the connection off, with all that lies in memory. */
  drop(): void
}

export type AnswerHeaders = { readonly [name: string]: string }

export function entity(entityType: string, body: unknown, status = 200): Answer {
  return { kind: 'entity', status, entityType, body }
}

export function json(body: unknown, status = 200): Answer {
  return { kind: 'entity', status, body }
}

export function noContent(status = 204): Answer {
  return { kind: 'empty', status }
}

/** The text of an answer that is written already, with what follows it. */
export function wholeText({ text, rest }: { readonly text: string; readonly rest?: Uint8Array }): string {
  return rest === undefined ? text : text + Buffer.from(rest.buffer, rest.byteOffset, rest.length).toString()
}
