import { setTimeout as delay } from 'node:timers/promises'
import { systemAccess } from '../../core/access.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { allDocuments, allOf, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { ListenerGate, Repository, Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { BackgroundTask } from '../../rest/services.ts'
import type { Transaction } from '../../store/store.ts'
import type { UsableRule } from './attach-rule.ts'
import { findDefinition, targetIn } from './rule-definition.ts'
import { ruleFacet, ruleProperties, rulesType } from './rule-model.ts'

/** More than anybody has. Those that come first count. */
const maxRules = 1_000

const lookEveryMillis = 5_000

/**
 * The automatic rules in force, in the order in which they are asked. Every process looks for them every few seconds, whoever writes, and
 * hears of its own changes at once; so what another process has changed may be unknown for that long. While there are none, the gate is closed.
 */
export interface ActiveRules {
  readonly gate: ListenerGate
  readonly look: BackgroundTask
  /** For a write: those that are known to its transaction from now on. */
  load(session: WriteSession): Promise<readonly UsableRule[]>
  /** The same again, at once; none where the transaction has not loaded them. */
  loaded(session: WriteSession): readonly UsableRule[]
  /** They are read anew once the transaction has committed. */
  forget(session: WriteSession): void
}

export function createActiveRules(): ActiveRules {
  const known = new Map<Repository, readonly UsableRule[] | undefined>()
  const byTransaction = new WeakMap<Transaction, readonly UsableRule[]>()
  // Plain data, which listeners are passed over by. Open before the first look.
  const gate = { isOpen: true }
  let changes = 0
  /** What was read before something changed is not known any more. */
  const know = (repository: Repository, rules: readonly UsableRule[] | undefined, changesSeen = changes) => {
    if (changesSeen !== changes) return
    known.set(repository, rules)
    gate.isOpen = known.values().some((one) => one === undefined || one.length > 0)
  }
  return {
    gate,
    look: {
      name: 'retentionRules',
      async run({ repositories }, signal) {
        while (!signal.aborted) {
          for (const repository of repositories.values()) {
            const changesSeen = changes
            know(repository, await systemAccess(repository).read(readRules), changesSeen)
          }
          await delay(lookEveryMillis, undefined, { signal, ref: false }).catch(() => {})
        }
      },
    },
    async load(session) {
      const { tx, repository } = session
      const changesSeen = changes
      const rules = byTransaction.get(tx) ?? known.get(repository) ?? (await readRules(session.asSystem()))
      byTransaction.set(tx, rules)
      if (known.get(repository) === undefined) tx.afterCommit(() => know(repository, rules, changesSeen))
      return rules
    },
    loaded: ({ tx }) => byTransaction.get(tx) ?? [],
    forget({ tx, repository }) {
      byTransaction.delete(tx)
      tx.afterCommit(() => {
        changes += 1
        know(repository, undefined)
      })
    },
  }
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
