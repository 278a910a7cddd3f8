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
