import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Transaction } from '../../store/store.ts'
import type { UsableRule } from './attach-rule.ts'
import { findDefinition, targetIn } from './rule-definition.ts'
import { ruleFacet, ruleProperties, rulesType } from './rule-model.ts'

export const staleMillis = 5_000
/** More than anybody has. Those that come first count. */
const maxRules = 1_000

interface Known {
  readonly rules: readonly UsableRule[]
  readonly readAt: number
}

/**
 * The automatic rules in force, in the order in which they are asked. Each process looks for them every few seconds at most, and only while
 * documents are written; it hears of its own changes at once. So what another process has changed may be unknown for that long.
 */
export interface ActiveRules {
  /** For a write: those that are known to its transaction from now on. */
  load(session: WriteSession): Promise<readonly UsableRule[]>
  /** The same again, at once; none where the transaction has not loaded them. */
  loaded(session: WriteSession): readonly UsableRule[]
  /** They are read anew once the transaction has committed. */
  forget(session: WriteSession): void
}

export function createActiveRules(): ActiveRules {
  const byRepository = new WeakMap<Repository, Known>()
  const byTransaction = new WeakMap<Transaction, readonly UsableRule[]>()
  return {
    async load(session) {
      const { tx, repository } = session
      const ofTransaction = byTransaction.get(tx)
      if (ofTransaction !== undefined) return ofTransaction
      const known = byRepository.get(repository)
      const isFresh = known !== undefined && performance.now() - known.readAt < staleMillis
      const rules = isFresh ? known.rules : await readRules(session.asSystem())
      byTransaction.set(tx, rules)
      if (!isFresh) tx.afterCommit(() => byRepository.set(repository, { rules, readAt: performance.now() }))
      return rules
    },
    loaded: ({ tx }) => byTransaction.get(tx) ?? [],
    forget({ tx, repository }) {
      byTransaction.delete(tx)
      tx.afterCommit(() => byRepository.delete(repository))
    },
  }
}

const automatic = documentsWhere(
  `ecm:mixinType = '${ruleFacet}'`,
  `${ruleProperties.application} = 'auto'`,
  `${ruleProperties.enabled} = 1`,
  notTrashed,
  notVersion,
  notProxy,
)

/** Only those in a folder for rules: nobody but administrators makes one, and its writers are trusted with documents of others. */
export async function readRules(session: WriteSession): Promise<readonly UsableRule[]> {
  const query = compile(session, `${automatic} ORDER BY ecm:pos, ecm:uuid`)
  const { documents } = await searchDocuments(session, query, { offset: 0, limit: maxRules })
  if (documents.length === 0) return []
  const parentIds = [...new Set(documents.flatMap(({ parentId }) => parentId ?? []))]
  const folders = new Set(
    (await session.tx.documents.findAll(parentIds)).filter(({ type }) => type === rulesType).map(({ id }) => id),
  )
  return documents.filter(({ parentId }) => parentId !== null && folders.has(parentId)).flatMap(usable)
}

function usable(document: Document): readonly UsableRule[] {
  const definition = findDefinition(document.properties)
  return definition === undefined || !targetIn(document.properties).isEnabled ? [] : [{ document, definition }]
}
