import { defineProblem } from '../../base/problem.ts'
import type { InlineListener, SecurityPolicy, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { everything } from '../../model/rights/permission.ts'
import { isOwn } from '../../model/rights/principal.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { isComment, rootType } from './comment-place.ts'

type Decision = ReturnType<SecurityPolicy['decide']>

const likeReading = { instead: 'Read' } as const
const likeOwning = { instead: everything } as const

/** What holds comments is the server's. To remove what is in it takes no more than to read it: whose that is, is asked there. */
const onRoot: ReadonlyMap<string, Decision> = new Map<string, Decision>([
  ['AddChildren', 'deny'],
  ['RemoveChildren', likeReading],
  ['Remove', likeOwning],
  ['WriteProperties', likeOwning],
])

/**
 * A comment inherits the rights of its document, where a writer may change what others have written; a comment only its author may,
 * as long as they may read it, and those with all rights on the document (contract: adapters 5.3).
 */
export const commentPolicy: SecurityPolicy = {
  name: 'comments',
  // Behind retention and locks.
  order: 20,
  leavesReading: true,
  decide(session, document, permission) {
    if (document.type === rootType) return document.isProxy ? undefined : onRoot.get(permission)
    if (!guarded.has(permission) || !isComment(session.model, document)) return undefined
    if (permission === 'AddChildren') return 'deny'
    if (permission === 'RemoveChildren') return likeReading
    return isByCaller(session, document) ? likeReading : likeOwning
  },
}

const guarded: ReadonlySet<string> = new Set(['WriteProperties', 'Remove', 'RemoveChildren', 'AddChildren'])

/** All who did not sign in have one name. When it was said is what the server noted: the date that is shown may be told by its author. */
function isByCaller({ principal }: Session, { properties }: Document): boolean {
  const { 'comment:author': author, 'dc:created': created } = properties
  if (principal.isAnonymous || typeof author !== 'string') return false
  return isOwn(principal, author, typeof created === 'string' ? created : undefined)
}

export const commentsStay = defineProblem(
  'commentsStay',
  'forbidden',
  (_: object) => 'Comments are neither made nor copied nor moved as documents are. Post them to @comment of the document.',
)

/** One that was put elsewhere, or made there, would say of a document what nobody has said of it there. */
export const keepComments: InlineListener = {
  name: 'keptComments',
  when: 'inline',
  events: ['aboutToCreate', 'aboutToImport', 'aboutToCopy', 'aboutToMove'],
  order: -100,
  handle({ document }, { principal, model }) {
    if (principal.isAdministrator) return
    if (document.type === rootType || isComment(model, document)) throw commentsStay({})
  },
}

const settledFields: readonly string[] = ['author', 'parentId', 'ancestorIds'].map((field) => `comment:${field}`)

/** Who wrote a comment, and about what, stays as it is, whatever a client sends. */
export const settleComments: InlineListener = {
  name: 'settledComments',
  when: 'inline',
  events: ['beforeDocumentModification'],
  changes: ({ name }: PropertyDefinition) => settledFields.includes(name),
  handle({ document, properties }) {
    const before = properties['previousDocumentModel'] as Document
    const settled = settledFields.map((name) => [name, before.properties[name] ?? null])
    return { ...document, properties: { ...document.properties, ...Object.fromEntries(settled) } }
  },
}
