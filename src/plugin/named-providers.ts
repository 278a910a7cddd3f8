import type { VendorIdentifiers } from '../base/vendor.ts'
import type { PageProvider } from '../core/search/providers/page-provider.ts'
import type { EntityProvider } from '../rest/services.ts'
import type { Contributions } from './define-plugin.ts'

/** Page providers of both kinds. No name is in both. */
export interface NamedProviders {
  readonly queries: readonly PageProvider[]
  readonly entities: ReadonlyMap<string, EntityProvider>
}

/** A later definition replaces an earlier one of the same name, of whichever kind, and one that is not enabled removes it. */
export function nameProviders(
  { pageProviders }: Pick<Contributions, 'pageProviders'>,
  vendored: VendorIdentifiers,
): NamedProviders {
  const byName = new Map<string, PageProvider | EntityProvider>()
  for (const definition of pageProviders) {
    const name = vendored(definition.name)
    if (definition.enabled === false) byName.delete(name)
    else byName.set(name, { ...definition, name })
  }
  const all = [...byName.values()]
  const entities = all.filter(isEntityProvider)
  return {
    queries: all.filter((one) => !isEntityProvider(one)),
    entities: new Map(entities.map((one) => [one.name, one])),
  }
}

export function isEntityProvider(provider: PageProvider | EntityProvider): provider is EntityProvider {
  return provider.kind === 'entities'
}
