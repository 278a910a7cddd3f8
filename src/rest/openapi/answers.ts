import { type Schema, Type } from './schema.ts'

/** What comes with a status where that is not just JSON of one shape: several media types, bytes, or nothing at all. */
export interface AnswerContent {
  readonly description: string
  /** By media type; none for an answer without a body. */
  readonly content: { readonly [mediaType: string]: Schema }
}

/** A shape is JSON. */
export type Success = Schema | AnswerContent

/**
 * What a call may be answered with, by status. A success says what it brings. For an error a sentence is enough: it comes with
 * the exception entity; so it is for what has no body by its nature, such as 204 and redirects.
 */
export interface Answers {
  readonly 200?: Success
  readonly 201?: Success
  readonly 202?: Success
  readonly 206?: Success
  readonly [status: number]: Success | string
}

export const anyMediaType = '*/*'
const jsonMediaType = 'application/json'

/** JSON of a shape, with a sentence on when it is answered so. */
export function jsonAnswer(schema: Schema, description: string): AnswerContent {
  return { description, content: { [jsonMediaType]: schema } }
}

/** A file, a page, a text: whatever is no JSON. */
export function bytesAnswer(description: string, mediaType = anyMediaType): AnswerContent {
  return { description, content: { [mediaType]: Type.String({ format: 'binary' }) } }
}

/** What is one or the other, by what is asked for or found. */
export function eitherAnswer(description: string, answers: readonly Success[]): AnswerContent {
  const shapes = new Map<string, Set<Schema>>()
  for (const [mediaType, shape] of answers.flatMap((answer) => Object.entries(contentOf(answer)))) {
    shapes.set(mediaType, (shapes.get(mediaType) ?? new Set()).add(shape))
  }
  return { description, content: Object.fromEntries([...shapes].map(([type, several]) => [type, oneOf([...several])])) }
}

function oneOf(schemas: readonly Schema[]): Schema {
  const [only, ...others] = schemas
  return only !== undefined && others.length === 0 ? only : Type.Union(schemas)
}

/** A status without a body. */
export function emptyAnswer(description: string): AnswerContent {
  return { description, content: {} }
}

export function contentOf(answer: Success): AnswerContent['content'] {
  return isContent(answer) ? answer.content : { [jsonMediaType]: answer }
}

export function isContent(answer: Success): answer is AnswerContent {
  return 'content' in answer
}

/** Whether success always is JSON, so that a client that does not accept that can be told so before anything is done. */
export function isAlwaysJson(answers: Answers): boolean {
  const successes = Object.entries(answers).filter(([status]) => Number(status) < 300)
  return successes.length > 0 && successes.every(([, answer]) => isJson(answer))
}

function isJson(answer: Success | string): boolean {
  if (typeof answer === 'string') return false
  const mediaTypes = Object.keys(contentOf(answer))
  return mediaTypes.length > 0 && mediaTypes.every((type) => type === jsonMediaType)
}
