import { type ActiveList, createActiveList } from '../../core/active-list.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { allDocuments, allOf, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { UsableRule } from './attach-rule.ts'
import { findDefinition, targetIn } from './rule-definition.ts'
import { ruleFacet, ruleProperties, rulesType } from './rule-model.ts'

/** More than anybody has. Those that come first count. */
const maxRules = 1_000

/** The automatic rules in force, in the order in which they are asked. */
export type ActiveRules = ActiveList<UsableRule>

export function createActiveRules(): ActiveRules {
  return createActiveList('retentionRules', readRules)
}

// Served by the index of types. Each process asks this every few seconds, in repositories of any size.
const folders = `SELECT * FROM ${rulesType} WHERE ${allOf(notTrashed, notVersion, notProxy)}`
const mostFolders = 100

/** Served by the index of parents. */
function rulesIn(parentIds: readonly string[]): string {
  const isAutomatic = [`${ruleProperties.application} = 'auto'`, `${ruleProperties.enabled} = 1`]
  const where = allOf(
    `ecm:parentId IN ${listed(parentIds.map(quoted))}`,
    `ecm:mixinType = '${ruleFacet}'`,
    ...isAutomatic,
    notTrashed,
    notVersion,
    notProxy,
  )
  return `${allDocuments} WHERE ${where} ORDER BY ecm:pos, ecm:uuid`
}

/** Only those in a folder for rules: nobody but administrators makes one, and its writers are trusted with documents of others. */
export async function readRules(session: Session): Promise<readonly UsableRule[]> {
  const find = async (query: string, limit: number) =>
    (await searchDocuments(session, compile(session, query), { offset: 0, limit })).documents
  const parentIds = (await find(folders, mostFolders)).map(({ id }) => id)
  return parentIds.length === 0 ? [] : (await find(rulesIn(parentIds), maxRules)).flatMap(usable)
}

function usable(document: Document): readonly UsableRule[] {
  const definition = findDefinition(document.properties)
  return definition === undefined || !targetIn(document.properties).isEnabled ? [] : [{ document, definition }]
}
