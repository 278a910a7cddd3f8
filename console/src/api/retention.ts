import { queryOptions } from '@tanstack/react-query'
import { administrationKeys, type EntityPages, rowsAtOnce } from './administration/entity-pages.ts'
import { type Change, changeDocument, removeDocument, runOperation } from './changes.ts'
import { call } from './client.ts'
import { documentKeys, queryDocuments, quote, readDocument } from './documents.ts'
import { type Document, hasFacet, totalOf } from './types.ts'

/** What stands for no end that is known. */
export function isIndefinite(retainUntil: string): boolean {
  return retainUntil.startsWith('9999-')
}

const ruleSchemas = ['retention_rule', 'retention_definition']
const liveRules = "ecm:mixinType = 'RetentionRule' AND ecm:isVersion = 0 AND ecm:isProxy = 0 AND ecm:isTrashed = 0"

/** All that one may see, in the order in which automatic ones are tried. */
export const rulePages: EntityPages<Document> = {
  key: ['retention-rules'],
  async fetch(page, signal) {
    const nxql = `SELECT * FROM Document WHERE ${liveRules} ORDER BY ecm:pos`
    const found = await queryDocuments(nxql, { page, pageSize: rowsAtOnce, signal, schemas: ruleSchemas })
    return { entries: found.entries, resultsCount: totalOf(found) }
  },
}

export function ruleQuery(id: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'retention-rule', id] as const,
    queryFn: ({ signal }) => readDocument({ id }, signal),
  })
}

export interface NewRule {
  readonly name: string
  readonly properties: Change['properties']
}

/** @throws Problem */
export function createRule({ name, properties }: NewRule): Promise<Document> {
  const json = { 'entity-type': 'document', type: 'RetentionRule', name, properties }
  return call<Document>('path/RetentionRules', { method: 'POST', json, headers: { properties: '*' } })
}

/** Refused if somebody else has changed it since it was read. @throws Problem */
export const changeRule = changeDocument

/** For good: records keep their copy of it. @throws Problem */
export const removeRule = removeDocument

const rulesAtOnce = 100
/** A rule that names no types is not for these. */
const unusualFacets = ['Folderish', 'HiddenInNavigation', 'SystemDocument']

/** The rules that the server would attach to the document by hand. */
export function attachableRulesQuery(document: Document) {
  const named = `retention_rule:docTypes/* = ${quote(document.type)}`
  const isUnusual = unusualFacets.some((facet) => hasFacet(document, facet))
  const fitting = isUnusual ? named : `(${named} OR retention_rule:docTypes/* IS NULL)`
  const inForce = "retention_rule:enabled = 1 AND retention_rule:applicationPolicy = 'manual'"
  const complete = 'retention_def:startingPointPolicy IS NOT NULL'
  const nxql = `SELECT * FROM Document WHERE ${liveRules} AND ${inForce} AND ${complete} AND ${fitting} ORDER BY dc:title`
  return queryOptions({
    queryKey: [...documentKeys.all, 'rules for', document.type, isUnusual] as const,
    queryFn: ({ signal }) => queryDocuments(nxql, { pageSize: rulesAtOnce, signal, schemas: ruleSchemas }),
  })
}

/** @throws Problem */
export function attachRule({ id, rule }: { readonly id: string; readonly rule: string }): Promise<Document> {
  return runOperation<Document>('Retention.AttachRule', [id], { rule })
}

/** @throws Problem */
export function detachRule(id: string): Promise<Document> {
  return runOperation<Document>('Document.UnattachRetentionRule', [id])
}
