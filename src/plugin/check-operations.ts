import { findChainMistake } from '../automation/call-mistakes.ts'
import type { Chain } from '../automation/chain.ts'
import { createRegistry, type OperationRegistry } from '../automation/registry.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** Names under which clients find something else. */
const reserved = new Map(['login', 'files', 'doc', 'debug'].map((name) => [name, 'the command endpoint']))

/** Operations and chains share one space of names, and chains run each other. @throws pluginMistake */
export function requireSoundOperations(plugins: readonly Plugin[]): void {
  requireDistinctNames(plugins)
  const registry = createRegistry(
    plugins.flatMap(({ operations = [] }) => operations),
    plugins.flatMap(({ chains = [] }) => chains),
  )
  for (const { name, chains = [] } of plugins) {
    for (const chain of chains) requireSoundChain(registry, name, chain)
  }
}

function requireSoundChain(registry: OperationRegistry, plugin: string, chain: Chain): void {
  const mistake = findChainMistake(registry, chain)
  if (mistake !== undefined) throw pluginMistake({ plugin, reason: `chain ${chain.id} ${mistake}` })
}

function requireDistinctNames(plugins: readonly Plugin[]): void {
  const owners = new Map(reserved)
  for (const { name: plugin, operations = [], chains = [] } of plugins) {
    for (const { id, aliases = [] } of [...operations, ...chains]) {
      for (const name of new Set([id, ...aliases])) {
        const flaw = findNameFlaw(name) ?? findOwner(owners, name)
        if (flaw !== undefined) throw pluginMistake({ plugin, reason: `the name ${name} of ${id} ${flaw}` })
        owners.set(name, id)
      }
    }
  }
}

function findNameFlaw(name: string): string | undefined {
  if (name === '' || name.includes('/')) return 'must have at least one character and no slash'
  return name.startsWith('Chain.') ? 'cannot begin with Chain., which is taken away when it is looked up' : undefined
}

function findOwner(owners: ReadonlyMap<string, string>, name: string): string | undefined {
  const owner = owners.get(name)
  return owner && `belongs to ${owner} already`
}
