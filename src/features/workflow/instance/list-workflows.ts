import { compile, searchDocuments } from '../../../core/search/page/run-query.ts'
import { quoted } from '../../../core/search/query/nxql-text.ts'
import type { Session } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { modelNameOf } from './route-documents.ts'

async function find(session: Session, conditions: readonly string[], order: string): Promise<readonly Document[]> {
  const text = `SELECT * FROM DocumentRoute WHERE ${[...conditions, 'ecm:isProxy = 0'].join(' AND ')} ORDER BY ${order}`
  const maxBytes = session.repository.rules.maxListedBytes
  return (await searchDocuments(session, compile(session, text), { offset: 0, maxBytes })).documents
}

const inOrder = 'dc:created, ecm:uuid'
const running = "ecm:currentLifeCycleState = 'running'"

/** What the caller has started and is under way. */
export async function listOwnWorkflows(session: Session, modelName: string | undefined): Promise<readonly Document[]> {
  const own = await find(session, [running, `docri:initiator = ${quoted(session.principal.name)}`], inOrder)
  return modelName === undefined ? own : own.filter((route) => modelNameOf(route) === modelName)
}

/** What is under way on a document, as far as the session may see it. */
export function listWorkflowsOf(session: Session, documentId: DocumentId): Promise<readonly Document[]> {
  return find(session, [running, `docri:participatingDocuments/* = ${quoted(documentId)}`], inOrder)
}

/** The same with what waits to be started: every reader of a document is told of it. */
export function listAllWorkflowsOf(session: Session, documentId: DocumentId): Promise<readonly Document[]> {
  const states = "ecm:currentLifeCycleState IN ('ready', 'running')"
  return find(session.asSystem(), [states, `docri:participatingDocuments/* = ${quoted(documentId)}`], inOrder)
}

export function listModels(session: Session): Promise<readonly Document[]> {
  return find(session, ["ecm:currentLifeCycleState = 'validated'", 'ecm:isTrashed = 0'], 'dc:title, ecm:uuid')
}
