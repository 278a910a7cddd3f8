import { parseIsoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { listPermissions } from '../../core/permissions.ts'
import type { Document } from '../../model/document.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityBody } from '../../rest/payload/entity-payload.ts'
import type { RenderContext } from '../../rest/render/rendering.ts'
import type { ChildrenSummary } from '../../store/documents.ts'
import { ancestorIdsOf } from './comment-place.ts'
import { type CommentDraft, type PlacedComment, summariseReplies } from './comments.ts'

const nullableText = Type.Nullable(Type.String())
const nullableMoment = Type.Nullable(Type.Moment())

/** What comments and annotations show alike (contract: adapters 5.1). */
export const sharedFields = {
  id: Type.String(),
  parentId: nullableText,
  ancestorIds: Type.Array(Type.String(), { description: 'What it is about, directly and in the end' }),
  author: nullableText,
  text: nullableText,
  creationDate: nullableMoment,
  modificationDate: nullableMoment,
  entityId: Type.Nullable(Type.String(), { description: 'What another system calls it' }),
  origin: Type.Nullable(Type.String(), { description: 'That system' }),
  entity: Type.Nullable(Type.String(), { description: 'What that system says of it' }),
  permissions: Type.Array(Type.String(), { description: 'Of the caller, on the document that it is about in the end' }),
  numberOfReplies: Type.Optional(Type.Integer({ description: 'With `fetch.comment: repliesSummary`' })),
  lastReplyDate: Type.Optional(Type.Moment({ description: 'With `fetch.comment: repliesSummary`, where there are any' })),
}

export const commentSchema = Type.Object({ 'entity-type': Type.Literal('comment'), ...sharedFields }, { $id: 'Comment' })

export const commentsSchema = Type.Object(
  { 'entity-type': Type.Literal('comments'), totalSize: Type.Integer(), entries: Type.Array(commentSchema) },
  { $id: 'Comments' },
)

type SharedEntity = Omit<Static<typeof commentSchema>, 'entity-type'>

/** A moment must say its zone and all of its day: what else a date may be is no instant. */
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/

const invalidInstant = defineProblem(
  'invalidInstant',
  'invalid',
  (of: { field: string }) => `The field ${of.field} is no moment. Write it as in 2026-02-01T10:15:30.123Z.`,
)

// An id is looked for in an index and shown in addresses; a name is no essay.
const shortText = (description: string) => Type.Optional(Type.Nullable(Type.String({ maxLength: 1_000, description })))
const longText = (description: string) => Type.Optional(Type.Nullable(Type.String({ description })))
const instant = (description: string) =>
  Type.Optional(
    Type.Refused(Type.Nullable(Type.String({ format: 'date-time', description })), ({ name }) => invalidInstant({ field: name })),
  )

/** What a client may say of either. What is absent stays; whatever else is in the body is the server's to say. */
export const sentFields = {
  text: longText('HTML is cleaned'),
  creationDate: instant('Now, unless told'),
  modificationDate: instant('Now, unless told'),
  entityId: shortText('What another system calls it'),
  origin: shortText('That system'),
  entity: longText('What that system says of it'),
}

export const commentBody = entityBody('comment', sentFields, [{ 'entity-type': 'comment', text: 'Please check page 3' }])

const propertyNames: { readonly [field in keyof typeof sentFields]: string } = {
  text: 'comment:text',
  creationDate: 'comment:creationDate',
  modificationDate: 'comment:modificationDate',
  entityId: 'externalEntity:entityId',
  origin: 'externalEntity:origin',
  entity: 'externalEntity:entity',
}

const momentFields: readonly string[] = ['creationDate', 'modificationDate']

/** What was sent as properties. A date of null is as none; any other null clears. @throws invalidInstant */
export function draftOf(sent: { readonly [field in keyof typeof sentFields]?: string | null }): CommentDraft {
  const properties: { [name: string]: string | null } = {}
  const external: { [name: string]: string | null } = {}
  for (const [field, name] of Object.entries(propertyNames)) {
    const value = sent[field as keyof typeof sentFields]
    if (value === undefined) continue
    if (momentFields.includes(field)) {
      if (value !== null) properties[name] = parseInstant(field, value)
    } else if (name.startsWith('externalEntity:')) external[name] = value
    else properties[name] = value
  }
  return { properties, external }
}

function parseInstant(field: string, text: string): string {
  const moment = instantShape.test(text) ? parseIsoDate(text) : undefined
  if (moment === undefined) throw invalidInstant({ field })
  return moment
}

const repliesSummary = 'repliesSummary'

/** Comments as clients see them; those about one document share what is asked about it. */
export async function writeComments(context: RenderContext, placed: readonly PlacedComment[]): Promise<readonly SharedEntity[]> {
  const { session } = context
  const isSummarised = context.fetch('comment').includes(repliesSummary)
  const comments = placed.map(({ comment }) => comment)
  const summaries = isSummarised ? await summariseReplies(session, comments) : undefined
  const permissions = new Map<string, readonly string[]>()
  const written: SharedEntity[] = []
  for (const { comment, topLevel } of placed) {
    context.budget.spendEntity(comment.properties)
    const granted = permissions.get(topLevel.id) ?? (await listPermissions(session, topLevel))
    permissions.set(topLevel.id, granted)
    written.push({ ...writeShared(comment), permissions: granted, ...(summaries && summaryOf(summaries.get(comment.id))) })
    await context.budget.rest()
  }
  return written
}

function writeShared(comment: Document): Omit<SharedEntity, 'permissions'> {
  return {
    id: comment.id,
    parentId: textOf(comment, 'comment:parentId'),
    ancestorIds: ancestorIdsOf(comment),
    author: textOf(comment, 'comment:author'),
    text: textOf(comment, 'comment:text'),
    creationDate: textOf(comment, 'comment:creationDate'),
    modificationDate: textOf(comment, 'comment:modificationDate'),
    entityId: textOf(comment, 'externalEntity:entityId'),
    origin: textOf(comment, 'externalEntity:origin'),
    entity: textOf(comment, 'externalEntity:entity'),
  }
}

/** What a comment says. */
export function commentText(comment: Document): string {
  return textOf(comment, 'comment:text') ?? ''
}

export function textOf({ properties }: Document, name: string): string | null {
  const value = properties[name]
  return typeof value === 'string' ? value : null
}

function summaryOf(summary: ChildrenSummary | undefined): Pick<SharedEntity, 'numberOfReplies' | 'lastReplyDate'> {
  if (summary === undefined) return { numberOfReplies: 0 }
  return { numberOfReplies: summary.count, ...(summary.greatest !== null && { lastReplyDate: summary.greatest }) }
}
