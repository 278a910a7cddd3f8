import { defineProblem } from '../../base/problem.ts'
import { compile, searchDocuments, searchRows } from '../../core/search/page/run-query.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { Properties } from '../../model/properties/property.ts'
import { relationType } from './relation-model.ts'

/** That one document is in a relation to another: `source` `predicate` `target`. */
export interface Relation {
  readonly source: DocumentId
  /** What the relation is: a URI, or any text. */
  readonly predicate: string
  readonly target: DocumentId
}

export const predicateMissing = defineProblem(
  'predicateMissing',
  'invalid',
  (_: object) => 'The predicate must say what the relation is: a URI, or any text.',
)

/** @throws predicateMissing */
export function relationOf(source: Document, predicate: string, target: Document): Relation {
  if (predicate.trim() === '') throw predicateMissing({})
  return { source: source.id, predicate, target: target.id }
}

export function propertiesOf({ source, predicate, target }: Relation): Properties {
  return { 'relation:source': source, 'relation:predicate': predicate, 'relation:target': target }
}

/** The document that says so, if any does. */
export async function findRelation(session: Session, relation: Relation): Promise<Document | undefined> {
  const conditions = Object.entries(propertiesOf(relation)).map(([property, value]) => `${property} = ${quoted(String(value))}`)
  const query = `SELECT * FROM ${relationType} WHERE ${conditions.join(' AND ')}`
  const { documents } = await searchDocuments(session.asSystem(), compile(session, query), { offset: 0, limit: 1 })
  return documents[0]
}

export type End = 'source' | 'target'

/** What is at the other ends of a document's relations, in the order in which they were made. */
export async function listEnds(session: Session, at: End, id: DocumentId, predicate: string): Promise<readonly DocumentId[]> {
  const other = `relation:${at === 'source' ? 'target' : 'source'}`
  const query =
    `SELECT ${other} FROM ${relationType} ` +
    `WHERE relation:${at} = ${quoted(id)} AND relation:predicate = ${quoted(predicate)} AND ${other} IS NOT NULL`
  const { rows } = await searchRows(session.asSystem(), compile(session, query, 'records'), { offset: 0 })
  return rows.map((row) => String(row[other]))
}

// A bound on what one document is asked about; far more than anybody relates by hand.
const maxEnds = 1_000

/** Every relation of a document at that end, with what is at the other one, in the order in which they were made. */
export async function listRelationsAt(
  session: Session,
  at: End,
  id: DocumentId,
): Promise<readonly { readonly predicate: string; readonly other: DocumentId }[]> {
  const other = `relation:${at === 'source' ? 'target' : 'source'}`
  const query =
    `SELECT relation:predicate, ${other} FROM ${relationType} ` +
    `WHERE relation:${at} = ${quoted(id)} AND relation:predicate IS NOT NULL AND ${other} IS NOT NULL`
  const { rows } = await searchRows(session.asSystem(), compile(session, query, 'records'), { offset: 0, limit: maxEnds })
  return rows.map((row) => ({ predicate: String(row['relation:predicate']), other: String(row[other]) }))
}

/** Ids of the relations that any of the documents has an end of. */
export async function listRelationsOf(session: Session, ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
  const found = new Set<DocumentId>()
  for (const end of ['source', 'target'] satisfies End[]) {
    const query = `SELECT * FROM ${relationType} WHERE relation:${end} IN ${listed(ids.map(quoted))}`
    const { documents } = await searchDocuments(session.asSystem(), compile(session, query), { offset: 0 })
    for (const { id } of documents) found.add(id)
  }
  return [...found]
}

/** Most repositories have none, and removing documents should not pay for it. */
export async function hasRelations(session: Session): Promise<boolean> {
  const allRelations = compile(session, `SELECT * FROM ${relationType}`)
  const { documents } = await searchDocuments(session.asSystem(), allRelations, { offset: 0, limit: 1 })
  return documents.length > 0
}
